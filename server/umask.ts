/** Imported first by every command that writes: what this process and its children create is readable by its owner alone. */
process.umask(0o077)
