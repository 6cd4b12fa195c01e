/** The TypeScript types of our JSON Schemas. */
import { compile } from 'json-schema-to-typescript'
import { type JsonSchema, loadSchemas } from '../schemas/schema-registry.js'

/** The text of `schemas/generated.ts`. All schemas go through one document, so that each gives one type. */
export async function generatedTypes(): Promise<string> {
  const document = { title: 'AllSchemas', type: 'object', $defs: bareReferences(loadSchemas().bundle('#/$defs/')) }
  return compile(document as Parameters<typeof compile>[0], 'AllSchemas', {
    bannerComment: '/* Made by `npm run generate` from the JSON files beside it; change those. */',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { semi: false, singleQuote: true, printWidth: 120 },
  })
}

/** A reference with a description beside it would become a type of its own: only the reference is kept. */
function bareReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareReferences)
  if (typeof value !== 'object' || value === null) return value
  const { $ref: reference } = value as JsonSchema
  if (typeof reference === 'string') return { $ref: reference }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, bareReferences(inner)]))
}
