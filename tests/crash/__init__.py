"""Crashes: at every call of every port in process, and for real with SIGKILL."""
