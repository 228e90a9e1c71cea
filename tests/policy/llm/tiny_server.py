"""Serve a GGUF file by llama.cpp: `python tiny_server.py MODEL`; prints its address and waits."""

import sys
import threading

import xllamacpp

parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.model_alias = ["tiny"]
parameters.port = 0
parameters.n_ctx = 4096
parameters.n_parallel = 1
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 1
parameters.use_jinja = True
parameters.verbosity = 0
parameters.offline = True
parameters.ui = False
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
threading.Event().wait()
