/* SPDX-License-Identifier: BSD-3-Clause */
// The Python module: smooth.test(BUG) is the exit status of main BUG.
#include <Python.h>

int test(const char *name);

static PyObject *call(PyObject *, PyObject *arguments)
{
    const char *name;
    if (!PyArg_ParseTuple(arguments, "s", &name))
        return nullptr;
    return PyLong_FromLong(test(name));
}

static PyMethodDef methods[] = {{"test", call, METH_VARARGS, nullptr}, {}};

static PyModuleDef module = {PyModuleDef_HEAD_INIT, "smooth", nullptr, -1, methods};

PyMODINIT_FUNC PyInit_smooth()
{
    return PyModule_Create(&module);
}
