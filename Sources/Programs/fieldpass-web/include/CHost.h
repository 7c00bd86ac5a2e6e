#pragma once
// No declarations: the module exists so that its object file is linked.
