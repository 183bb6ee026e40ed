# The words that arguments of the models know, each list once; the core has the same names.

activation_names <- c("sigmoid", "sine", "tribas", "radbas", "tansig", "relu", "selu")
marginal_names <- c("uniform", "normal", "cauchy")
bias_names <- c("uniform", "data", "phase", "none")
na_actions <- c("fail", "omit", "impute")
alignments <- c("all", "first")
criteria <- c("likelihood", "loo")

# Distributions of the weights that can be compared, and those that can be asked for.
auto_inits <- distribution_names
init_names <- c(auto_inits, "auto", "gradient")

# Strengths that strength = "auto" tries: turned round, none, half and full. Archimedean families
# and gradients have no negative ones.
auto_strengths <- c(-1, -0.5, 0, 0.5, 1)

# Standard deviations of the pre-activations that scale = "auto" tries.
auto_spreads <- c(0.25, 0.5, 1, 2, 4)

# Arguments of earlier releases, and what they are called now.
renamed_arguments <- c(weights = "case_weights", forget_weights = "forget_case_weights")
