"""A stored run as one page of HTML: works offline, runs no foreign code, shows what the run's folder holds.

Nothing is imported here; `write.write_page(run_dir, page)` makes it.
"""
