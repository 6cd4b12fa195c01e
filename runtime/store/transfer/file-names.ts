/** Names of files of the storage in the JSON of a send: `PreparedFile.file` of schemas/send-content.ts, at any place. */

// Ours: contents on the way of an administrator, of at most 60,000 values each.

/** Returns true if a send names a file, even by an empty name. */
export function hasStoredFile(value: unknown): boolean {
  return filesIn(value).length > 0
}

/** Returns true if a send names a file by a name that is not empty. */
export function namesFile(value: unknown): boolean {
  return filesIn(value).some(({ name }) => name !== '')
}

/** Empties the names of all files. */
export function withoutFileNames(json: string): string {
  const value = JSON.parse(json) as unknown
  for (const file of filesIn(value)) file.name = ''
  return JSON.stringify(value)
}

function filesIn(value: unknown): { name: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const { file } = value as { file?: unknown }
  const own = typeof file === 'object' && file !== null && 'name' in file ? [file as { name: unknown }] : []
  return [...own, ...Object.values(value).flatMap(filesIn)]
}
