/** Reads the JSON Schemas of our doors from their folders and hands them out as Ajv, the generator and OpenAPI need them. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../lib/package-root.js'

// Ours: our schemas.

export type JsonSchema = Readonly<Record<string, unknown>>

/** A file as written; its `$id` is its address, its `$ref`s are relative to it. */
interface SchemaFile {
  /** Below `schemas/`, such as `send/text.json`. */
  readonly file: string
  readonly schema: JsonSchema & { readonly $id: string }
}

/** The parts of an operation that a file may define under `$defs`. */
export type OperationPart = 'request' | 'query' | 'reply'

export interface SchemaRegistry {
  readonly files: readonly SchemaFile[]
  /** The address of one part of an operation's file for Ajv, or undefined when the file does not define it. */
  address(file: string, part: OperationPart): string | undefined
  /** The name of that part in `bundle`; undefined when the file does not define it. */
  findName(file: string, part: OperationPart): string | undefined
  /** One part of an operation with every `$ref` that leads to it resolved on demand; see `resolve`. */
  part(file: string, part: OperationPart): LocatedSchema | undefined
  /** Follows a `$ref` found in a schema of `file`. */
  resolve(reference: string, file: string): LocatedSchema
  /** Every titled schema by its title, with `$ref`s rewritten to `<prefix><title>`. `takes` chooses files. */
  bundle(prefix: string, takes?: (file: string) => boolean): Record<string, JsonSchema>
}

/** A schema and the file that it is in, to which its references are relative. */
export interface LocatedSchema {
  readonly schema: JsonSchema
  readonly file: string
}

/** @throws Error naming the file, when a schema is not JSON, lacks a title or refers to nothing */
export function loadSchemas(folder: string = path.join(packageRoot, 'schemas')): SchemaRegistry {
  const files = schemaFiles(folder).map((file): SchemaFile => {
    const schema = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as SchemaFile['schema']
    if (!schema.$id?.endsWith(`/${file}`)) throw new Error(`The $id of schemas/${file} must end in its path.`)
    return { file, schema }
  })
  const byFile = new Map(files.map((one) => [one.file, one.schema as JsonSchema]))

  function root(file: string): JsonSchema {
    const schema = byFile.get(file)
    if (schema === undefined) throw new Error(`There is no schemas/${file}.`)
    return schema
  }

  function part(file: string, name: OperationPart): LocatedSchema | undefined {
    const schema = definitions(root(file))[name]
    return schema === undefined ? undefined : { schema, file }
  }

  function resolve(reference: string, from: string): LocatedSchema {
    const [relative = '', pointer = ''] = reference.split('#')
    const file = relative === '' ? from : path.posix.join(path.posix.dirname(from), relative)
    const name = pointer.replace('/$defs/', '')
    const schema = pointer === '' ? root(file) : definitions(root(file))[name]
    if (schema === undefined) throw new Error(`schemas/${from} refers to ${reference}, which does not exist.`)
    return { schema, file }
  }

  function rewrite(value: unknown, file: string, prefix: string): unknown {
    if (Array.isArray(value)) return value.map((one) => rewrite(one, file, prefix))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== '$id' && key !== '$schema' && key !== '$defs')
        .map(([key, inner]) =>
          key === '$ref'
            ? [key, prefix + readTitle(resolve(inner as string, file))]
            : [key, rewrite(inner, file, prefix)],
        ),
    )
  }

  function bundle(prefix: string, takes: (file: string) => boolean = () => true): Record<string, JsonSchema> {
    const titled = files
      .filter(({ file }) => takes(file))
      .flatMap(({ file, schema }) => [
        ...(schema.title === undefined ? [] : [{ schema, file }]),
        ...Object.values(definitions(schema)).map((one) => ({ schema: one, file })),
      ])
    const bundled: Record<string, JsonSchema> = {}
    for (const one of titled) {
      const title = readTitle(one)
      if (bundled[title] !== undefined) throw new Error(`Two schemas have the title ${title}.`)
      bundled[title] = rewrite(one.schema, one.file, prefix) as JsonSchema
    }
    return bundled
  }

  return {
    files,
    bundle,
    part,
    resolve,
    address(file, name) {
      return part(file, name) === undefined ? undefined : `${root(file).$id as string}#/$defs/${name}`
    },
    findName(file, name) {
      const found = part(file, name)
      return found === undefined ? undefined : readTitle(found)
    },
  }
}

/** The files in folders below `schemas/`; those beside this module are not of our doors. */
function schemaFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => readdirSync(path.join(folder, entry.name)).map((name) => `${entry.name}/${name}`))
    .filter((file) => file.endsWith('.json'))
    .sort()
}

function definitions(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.$defs ?? {}) as Readonly<Record<string, JsonSchema>>
}

function readTitle({ schema, file }: LocatedSchema): string {
  const title = schema.title
  if (typeof title !== 'string') throw new Error(`A schema in schemas/${file} has no title.`)
  return title
}
