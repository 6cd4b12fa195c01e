import type { ShownCall } from './shown.js'

/** Returns a call as a program in PHP with its curl extension. The token is read from the environment. */
export function formatPhp({ method, base, path, header, body, files }: ShownCall): string {
  const hasBody = body !== undefined
  return [
    '<?php',
    ...(hasBody ? [`$body = ${hasNothing(body) ? 'new stdClass()' : formatLiteral(body, files)};`] : []),
    `$request = curl_init(${quote(base + path)});`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => ${quote(method)},`,
    '    CURLOPT_RETURNTRANSFER => true,',
    `    CURLOPT_HTTPHEADER => [${quote(`${header}: `)} . getenv('TOKEN')${hasBody ? ", 'Content-Type: application/json'" : ''}],`,
    ...(hasBody ? ['    CURLOPT_POSTFIELDS => json_encode($body),'] : []),
    ']);',
    'echo curl_exec($request), PHP_EOL;',
  ].join('\n')
}

/** PHP writes an empty array as a list, which is not what an operation takes. */
function hasNothing(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}

/** Writes a value as PHP. Marks become the files for which they stand. */
function formatLiteral(value: unknown, files: ShownCall['files'], indent = ''): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return formatText(value, files)
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (hasNothing(value)) return 'new stdClass()'
  const inner = `${indent}    `
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${formatLiteral(one, files, inner)},`)
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => `${inner}${quote(name)} => ${formatLiteral(one, files, inner)},`)
  return lines.length === 0 ? '[]' : `[\n${lines.join('\n')}\n${indent}]`
}

function formatText(value: string, files: ShownCall['files']): string {
  for (const [mark, { name }] of files) if (value === mark) return `base64_encode(file_get_contents(${quote(name)}))`
  return quote(value)
}

/** In single quotes only these two mean something. */
function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
