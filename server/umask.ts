/**
 * Every command that writes imports this first: files of this process and its children are readable only by their
 * owner.
 */
process.umask(0o077)
