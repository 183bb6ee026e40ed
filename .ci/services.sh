#!/usr/bin/env bash
# Starts a PostgreSQL server and a Slurm cluster of one node, runs a command beside them, and stops
# them whatever the command gives:
#
#   bash .ci/services.sh run COMMAND [ARGUMENT...]    (run bash: a shell to look around)
#
# The command finds them through its environment: PGHOST and so on, and CAWI_TEST_POSTGRES, the
# folder of the server's socket; SLURM_CONF and CAWI_TEST_SLURM, a template for batchtools. Neither
# needs systemd or cgroups. PostgreSQL and munge listen on sockets of the file system, Slurm on the
# loopback. Logs are in .build/services; all else is in a temporary folder, because PostgreSQL
# refuses root and its own user may not be let into a clone.
#
# `sh .ci/setup.sh services` installs what this needs. Without root it runs as whoever calls it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
logs=$here/../.build/services
say() { echo "services: $*" >&2; }

if [ "${1:-}" != run ] || [ $# -lt 2 ]; then
  echo "Usage: bash .ci/services.sh run COMMAND [ARGUMENT...]" >&2
  exit 2
fi
shift

# ---- what is needed ---------------------------------------------------------

# Debian keeps the server's programs off the path, by version.
server=$(find /usr/lib/postgresql/*/bin -maxdepth 0 2>/dev/null | sort -V | tail -n 1)
export PATH=$PATH:/usr/sbin:/sbin${server:+:$server}
missing=
for program in initdb postgres pg_isready munged slurmctld slurmd sinfo scancel setpriv; do
  command -v "$program" >/dev/null || missing="$missing $program"
done
if [ -n "$missing" ]; then
  say "missing:$missing"
  say "as root on Debian, \`sh .ci/setup.sh services\` installs postgresql, munge and Slurm"
  exit 1
fi

# ---- processes --------------------------------------------------------------

mkdir -p "$logs"
logs=$(cd "$logs" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/cawi-services.XXXXXX")
chmod 711 "$folder"
started=()

# What is started last ends first: munge has to outlive Slurm. A signal to this script waits until
# all are gone.
stop() {
  local status=$? i
  trap '' INT TERM HUP
  if [ -s "$folder/slurm.conf" ]; then end_jobs; fi
  for ((i = ${#started[@]} - 1; i >= 0; i--)); do
    end_process "${started[i]}"
  done
  rm -rf "$folder"
  exit "$status"
}

# Jobs outlive the daemons, so they have to be gone before.
end_jobs() {
  local i
  timeout 5 scancel --quiet --me || return 0
  for ((i = 0; i < 50; i++)); do
    [ -n "$(timeout 5 squeue --noheader)" ] || return 0
    sleep 0.2
  done
}

# Asks a process to end, and ends it after ten seconds.
end_process() {
  local i
  kill -INT "$1" 2>/dev/null || return 0
  for ((i = 0; i < 100; i++)); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "$1" 2>/dev/null || true
}

trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Starts a daemon in the foreground of a session of its own, so that Ctrl-C is this script's alone;
# it ends with this script, even where that is killed.
start() {
  local name=$1
  shift
  setsid setpriv --pdeathsig INT "$@" </dev/null >"$logs/$name.log" 2>&1 &
  started+=($!)
}

# Waits up to a minute for a command to succeed while the daemon started last lives.
await() {
  local name=$1 i
  shift
  for ((i = 0; i < 300; i++)); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    kill -0 "${started[-1]}" 2>/dev/null || break
    sleep 0.2
  done
  say "$name did not start; the end of its log:"
  tail -n 20 "$logs/$name.log" >&2
  exit 1
}

# ---- PostgreSQL -------------------------------------------------------------

start_postgres() {
  # The server refuses root.
  local as=() settings
  if [ "$(id -u)" -eq 0 ]; then
    as=(--reuid postgres --regid postgres --init-groups)
  fi
  mkdir "$folder/postgres"
  if [ "$(id -u)" -eq 0 ]; then chown postgres: "$folder/postgres"; fi
  chmod 700 "$folder/postgres"
  (cd "$folder/postgres" && setpriv "${as[@]}" initdb -D data -U cawi --auth=trust --no-sync \
    --locale=C.UTF-8 --encoding=UTF8) >"$logs/initdb.log" 2>&1 || {
    say "initdb failed:"
    cat "$logs/initdb.log" >&2
    exit 1
  }
  # Rows come in the same order each time; nothing here has to outlive a crash.
  settings=(-c listen_addresses= -c unix_socket_directories="$folder/postgres"
    -c synchronize_seqscans=off -c max_parallel_workers_per_gather=0
    -c fsync=off -c full_page_writes=off -c synchronous_commit=off)
  start postgres "${as[@]}" "$server/postgres" -D "$folder/postgres/data" "${settings[@]}"
  export PGHOST=$folder/postgres PGPORT=5432 PGUSER=cawi PGDATABASE=postgres
  export CAWI_TEST_POSTGRES=$PGHOST
  await postgres pg_isready
  say "$(postgres --version), socket in $PGHOST"
}

# ---- Slurm ------------------------------------------------------------------

start_munge() {
  mkdir "$folder/munge"
  chmod 755 "$folder/munge"
  (umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
  start munge "$(command -v munged)" --foreground --num-threads=2 --key-file="$folder/munge/key" \
    --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
    --seed-file="$folder/munge/seed" --log-file="$logs/munged.log"
  await munge munge --socket="$folder/munge/socket" --no-input
}

# Two ports of the loopback that nothing listens on.
free_ports() {
  local port found=0
  for port in $(shuf -i 20000-32000); do
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      found=$((found + 1))
      [ "$found" -lt 2 ] || return 0
    fi
  done
}

# One node that takes four jobs at a time, however few cores it has.
slurm_configuration() {
  local host ports
  host=$(uname -n)
  host=${host%%.*}
  mapfile -t ports < <(free_ports)
  cat <<CONF
ClusterName=cawi
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmdPort=${ports[1]}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/slurm/state
SlurmdSpoolDir=$folder/slurm/spool
SlurmctldPidFile=$folder/slurm/slurmctld.pid
SlurmdPidFile=$folder/slurm/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
KillWait=2
MinJobAge=300
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
}

slurm_is_ready() { [ "$(sinfo --noheader --format=%t)" = idle ]; }

start_slurm() {
  start_munge
  mkdir -p "$folder/slurm/state" "$folder/slurm/spool"
  slurm_configuration >"$folder/slurm.conf"
  # Nothing here uses cgroups, but slurmd looks for them unless it is told which; this kind it takes
  # at its word.
  echo CgroupPlugin=cgroup/v1 >"$folder/cgroup.conf"
  export SLURM_CONF=$folder/slurm.conf CAWI_TEST_SLURM=$here/slurm.tmpl
  start slurmctld "$(command -v slurmctld)" -D -i
  await slurmctld scontrol ping
  start slurmd "$(command -v slurmd)" -D
  await slurmd slurm_is_ready
  say "$(slurmd -V), one node on the loopback"
}

start_postgres
start_slurm
"$@"
