/** Writes a call of the client library for an operation, by the signature that its generated source has. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../lib/package-root.js'
import type { Operation } from './open-api.js'

/** Returns the parameters of each method of the client library, by its name, without the last one, `opts`. */
export function clientSignatures(): ReadonlyMap<string, readonly string[]> {
  const source = readFileSync(path.join(packageRoot, 'clients/typescript/src/generated.ts'), 'utf8')
  const methods = source.matchAll(/^ {4}(\w+)\(([\s\S]*?)\) \{$/gm)
  return new Map([...methods].map(([, name = '', list = '']) => [name, splitParameters(list)]))
}

/** Returns the lines of a call, or undefined if the client library leaves the operation out. */
export function clientCall(
  { operationId, method, body, parameters }: Operation,
  signatures: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const signature = signatures.get(operationId)
  if (signature === undefined) return undefined
  const values = signature.map((parameter) => {
    if (parameter.startsWith('{')) return undefined
    const [name = ''] = parameter.split(/[?:]/)
    return parameters.some((one) => one.in === 'path' && one.name === name)
      ? `'<${name}>'`
      : literal(body?.example ?? {})
  })
  while (values.length > 0 && (values.at(-1) === undefined || (values.at(-1) === '{}' && method !== 'GET')))
    values.pop()
  return `const answer = await posthorn.${operationId}(${values.map((value) => value ?? '{}').join(', ')})`
}

/** Splits a list of parameters at its outer commas. */
function splitParameters(list: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const [index, character] of [...list].entries()) {
    if ('{<(['.includes(character)) depth++
    else if ('}>)]'.includes(character)) depth--
    else if (character === ',' && depth === 0) {
      parts.push(list.slice(start, index).trim())
      start = index + 1
    }
  }
  parts.push(list.slice(start).trim())
  return parts.filter((part) => part !== '' && !part.startsWith('opts'))
}

/** Writes JSON as an object literal, without quotes around plain names. */
function literal(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\'])*)"/g, "'$1'")
  const short = text.replace(/\n\s*/g, ' ')
  return short.length <= 100 ? short : text
}
