#pragma once
// Nothing to call: the module exists so that the object beside it is linked.
