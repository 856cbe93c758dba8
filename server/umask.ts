/** Every command that writes imports this first: files of this process and its children are readable by their owner only. */
process.umask(0o077)
