import type { ShownCall } from './shown.js'

/** Returns a call as a program in Python, with nothing to install. The token is read from the environment. */
export function formatPython({ method, base, path, header, body, files }: ShownCall): string {
  const hasBody = body !== undefined
  return [
    ...(files.size === 0 ? [] : ['import base64']),
    'import json',
    'import os',
    'import urllib.request',
    '',
    ...(hasBody ? [`body = ${formatLiteral(body, files)}`] : []),
    'request = urllib.request.Request(',
    `    ${JSON.stringify(base + path)},`,
    `    method=${JSON.stringify(method)},`,
    `    headers={${JSON.stringify(header)}: os.environ["TOKEN"]${hasBody ? ', "Content-Type": "application/json"' : ''}},`,
    ...(hasBody ? ['    data=json.dumps(body).encode(),'] : []),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(json.load(answer))',
  ].join('\n')
}

/** Writes a value as Python. Marks become the files for which they stand. */
function formatLiteral(value: unknown, files: ShownCall['files'], indent = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return formatText(value, files)
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'None'
  const inner = `${indent}    `
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${formatLiteral(one, files, inner)},`)
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => `${inner}${escapeText(name)}: ${formatLiteral(one, files, inner)},`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return lines.length === 0 ? open + close : `${open}\n${lines.join('\n')}\n${indent}${close}`
}

function formatText(value: string, files: ShownCall['files']): string {
  for (const [mark, { name }] of files)
    if (value === mark) return `base64.b64encode(open(${escapeText(name)}, "rb").read()).decode()`
  return escapeText(value)
}

/** JSON writes all that Python reads in the same way, but for characters beyond 16 bits, which stand as they are. */
function escapeText(value: string): string {
  return JSON.stringify(value)
}
