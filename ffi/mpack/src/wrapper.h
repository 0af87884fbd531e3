/* What bindgen reads. */
#include "mpack.h"

#include "shim.h"
