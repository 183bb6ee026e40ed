# R's compiler settings for `make sanitize`.
SANITIZE = -fsanitize=address,undefined -fno-omit-frame-pointer
CFLAGS = -g -O1 $(SANITIZE)
CXXFLAGS = -g -O1 $(SANITIZE)
CXX11FLAGS = $(CXXFLAGS)
CXX14FLAGS = $(CXXFLAGS)
CXX17FLAGS = $(CXXFLAGS)
CXX20FLAGS = $(CXXFLAGS)
LDFLAGS += -fsanitize=address,undefined
