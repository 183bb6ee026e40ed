#!/bin/sh
# Looks at the site in .build/site: every link between its pages leads somewhere, and in a browser
# without a screen no page is wider than the window and no table or code is cut off, at 380 and at
# 1280 pixels. Pictures of some pages go to .build/site-pictures.
#
# Usage: sh .ci/check-site.sh
set -eu
cd "$(dirname "$0")/.."
Rscript .ci/check-site.R links
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
browse() {
  chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --allow-file-access-from-files --user-data-dir="$profile" "$@" 2>/dev/null
}
Rscript .ci/check-site.R frames
browse --virtual-time-budget=60000 --dump-dom \
  "file://$PWD/.build/site-frames.html" >.build/site-measured.html
Rscript .ci/check-site.R clipped
mkdir -p .build/site-pictures
for page in index reference/index reference/cawi_models articles/choosing; do
  for width in 380 1280; do
    browse --hide-scrollbars --window-size="$width,1600" --virtual-time-budget=5000 \
      --screenshot=".build/site-pictures/$(echo $page | tr / -)-$width.png" \
      "file://$PWD/.build/site/$page.html"
  done
done
