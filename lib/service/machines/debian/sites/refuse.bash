# How a step says that nothing can be done: run.bash shows the sentence as it is. Exit code 3: a refusal; 4: the same, because a part is not installed.
refuse() { echo "$1"; exit 3; }
not_installed() { echo "$1"; exit 4; }
