# The vocabulary of the model arguments; the core has the same names.
activation_names <- c("sigmoid", "sine", "tribas", "radbas", "tansig", "relu", "selu")
init_names <- c("iid", "auto", "gaussian", "t", "clayton", "frank", "gumbel")
marginal_names <- c("uniform", "normal")
bias_names <- c("uniform", "data")
na_actions <- c("fail", "omit", "impute")
