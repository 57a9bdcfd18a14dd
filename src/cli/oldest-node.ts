/**
 * Desktop clients start the command with whatever `node` they find. On an older one the first missing part of Node would
 * end it with an error that names no cause, so this is the first file that the command loads.
 */
const oldest = [22, 19] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(
    `tollgate needs Node ${oldest.join('.')} or later, and this is Node ${process.versions.node}.\n`,
  )
  process.exit(1)
}
