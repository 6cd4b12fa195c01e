/** Gives the schemas of tools as clients take them: each alone, with the parts that it refers to. */
import type { JsonSchema, OperationPart, SchemaRegistry } from '../../schemas/schema-registry.js'

const PREFIX = '#/$defs/'

export type ToolSchema = JsonSchema & { readonly type: 'object' }

export interface ToolSchemas {
  of(file: string, part: OperationPart): ToolSchema
  /** Returns the sentence about the tool. */
  descriptionOf(file: string): string
}

export function createToolSchemas(registry: SchemaRegistry): ToolSchemas {
  const all = registry.bundle(PREFIX)
  const made = new Map<string, ToolSchema>()
  return {
    of(file, part) {
      const key = `${part} ${file}`
      const schema = made.get(key) ?? schemaOf(file, part)
      made.set(key, schema)
      return schema
    },
    descriptionOf: (file) => String(registry.files.find((one) => one.file === file)?.schema.description),
  }

  function schemaOf(file: string, part: OperationPart): ToolSchema {
    const root = all[registry.nameOf(file, part) ?? '']
    if (root === undefined) throw new Error(`schemas/${file} has no ${part}.`)
    const { title: _title, ...schema } = root
    const found = new Map<string, JsonSchema>()
    collect(schema, found)
    const $defs = Object.fromEntries(found)
    return (found.size === 0 ? schema : { ...schema, $defs }) as ToolSchema
  }

  function collect(value: unknown, found: Map<string, JsonSchema>): void {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref') {
        collect(inner, found)
        continue
      }
      const name = String(inner).slice(PREFIX.length)
      const schema = all[name]
      if (schema === undefined || found.has(name)) continue
      found.set(name, schema)
      collect(schema, found)
    }
  }
}
