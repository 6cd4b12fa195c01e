import type { ShownCall } from './shown.js'

/** Returns a call as a program with the client library. The token is read from the environment. */
export function formatTypescript(call: ShownCall): string {
  const { operation, base, params, query, body, files, header } = call
  const tokenName = header === 'admintoken' ? 'adminToken' : 'token'
  const values = [
    ...params.map((value) => JSON.stringify(value)),
    ...(body === undefined ? [] : [formatLiteral(body, files)]),
    ...(query === undefined ? [] : [formatLiteral(query, files)]),
  ]
  return [
    ...(files.size === 0 ? [] : [`import { readFile } from 'node:fs/promises'`]),
    `import { createPosthorn } from 'posthorn-client'`,
    '',
    `const posthorn = createPosthorn({ url: ${JSON.stringify(base)}, ${tokenName}: process.env.TOKEN ?? '' })`,
    `console.log(await posthorn.${operation}(${values.join(', ')}))`,
  ].join('\n')
}

/** Writes a value as the code that makes it. Marks become the files for which they stand. */
function formatLiteral(value: unknown, files: ShownCall['files'], indent = ''): string {
  if (typeof value === 'string') return formatText(value, files)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${formatLiteral(one, files, inner)},`)
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => `${inner}${formatName(name)}: ${formatLiteral(one, files, inner)},`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return lines.length === 0 ? open + close : `${open}\n${lines.join('\n')}\n${indent}${close}`
}

function formatName(name: string): string {
  // `__proto__: x` would set the prototype.
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : `[${JSON.stringify(name)}]`
}

function formatText(text: string, files: ShownCall['files']): string {
  for (const [mark, { name }] of files) {
    const at = text.indexOf(mark)
    if (at === -1) continue
    const file = `(await readFile(${JSON.stringify(name)})).toString('base64')`
    const parts = [text.slice(0, at), text.slice(at + mark.length)].map((part) =>
      part === '' ? '' : formatText(part, files),
    )
    return [parts[0], file, parts[1]].filter((part) => part !== '').join(' + ')
  }
  return JSON.stringify(text)
}
