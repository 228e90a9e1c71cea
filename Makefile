# Both commands of the README. Everything is installed into .venv; nothing else is touched.
PYTHON ?= python3
VENV := .venv
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check --quiet
HOP := $(VENV)/bin/groundhop
DATA := $(or $(GROUNDHOP_HOME),.groundhop)
export ORT_DISABLE_TELEMETRY := 1
export ANONYMIZED_TELEMETRY := False
export LANGSMITH_TRACING := false
export LANGGRAPH_CLI_NO_ANALYTICS := 1
export LANGGRAPH_NO_VERSION_CHECK := true

.PHONY: samples demo test check bench eval clean help

help:
	@echo "make demo   install, ingest both samples, answer a two-hop question in each language, and"
	@echo "            one that needs two documents and a row of a database"
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

# Both samples, and what the first one's questions need beside documents: an HR database and the
# settings that name it. Files that are there already stay as they are.
samples: $(VENV)/.installed
	$(HOP) ingest examples/handbook-vi/documents examples/labs-en/documents
	@test -e "$(DATA)/groundhop.toml" || install -m 600 examples/handbook-vi/groundhop.toml "$(DATA)/groundhop.toml"
	@$(VENV)/bin/python examples/handbook-vi/make_hr_database.py "$(DATA)/hr.sqlite"

demo: samples
	$(HOP) ask "Ai sáng lập tổ chức đã phát triển Project Aurora?" --thread demo-vi
	$(HOP) ask "Who founded the organisation that developed Project Aurora?" --thread demo-en
	$(HOP) trace demo-en
	-$(HOP) ask --as E042 "Nghỉ phép 2026 khác 2025 thế nào, và tôi còn bao nhiêu ngày?" --thread demo-hr

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

eval: samples
	$(HOP) eval examples/handbook-vi examples/labs-en examples/handbook-vi/questions-hr.jsonl \
		--report eval.html --gate examples/gates.toml

clean:
	rm -rf $(VENV) .groundhop eval.html
