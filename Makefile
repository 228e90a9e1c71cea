# Both commands of the README. Everything is installed into .venv; nothing else is touched.
PYTHON ?= python3
VENV := .venv
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check --quiet
HOP := $(VENV)/bin/groundhop
export ORT_DISABLE_TELEMETRY := 1
export ANONYMIZED_TELEMETRY := False
export LANGSMITH_TRACING := false
export LANGGRAPH_CLI_NO_ANALYTICS := 1
export LANGGRAPH_NO_VERSION_CHECK := true

.PHONY: demo test check bench eval clean help

help:
	@echo "make demo   install, ingest both samples, answer a two-hop question in each language"
	@echo "make test   install what the tests need and run them"
	@echo "make check  lint, types, layers"
	@echo "make bench  accuracy on the samples, timings"
	@echo "make eval   measure both samples: a table, eval.html, and the gates that CI keeps to"
	@echo "make clean  remove .venv and .groundhop"

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "groundhop needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.11 demo")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml
	$(PIP) install --editable '.[dev]'
	@touch $(VENV)/.installed $@

demo: $(VENV)/.installed
	$(HOP) ingest examples/handbook-vi/documents examples/labs-en/documents
	$(HOP) ask "Ai sáng lập tổ chức đã phát triển Project Aurora?" --thread demo-vi
	$(HOP) ask "Who founded the organisation that developed Project Aurora?" --thread demo-en
	$(HOP) trace demo-en

test: $(VENV)/.installed-dev
	$(VENV)/bin/python -m pytest

check: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

bench: $(VENV)/.installed-dev
	$(VENV)/bin/python -m bench.samples
	$(VENV)/bin/python -m bench.speed

eval: $(VENV)/.installed
	$(HOP) eval examples/handbook-vi examples/labs-en --report eval.html --gate examples/gates.toml

clean:
	rm -rf $(VENV) .groundhop eval.html
