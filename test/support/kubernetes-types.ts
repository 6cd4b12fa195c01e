/** Whether objects are what Kubernetes takes, without Kubernetes: by the types that `kubernetes-models` makes of its API. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { KubernetesObject } from './kustomize.js'

const run = promisify(execFile)
const { resolve } = createRequire(import.meta.url)

/** Returns what the schema of its API type finds wrong with an object: required fields, types, formats. Undefined when nothing does. */
export async function invalidBySchema(object: KubernetesObject): Promise<string | undefined> {
  const { [object.kind]: Model } = (await import(findModule(object))) as Record<
    string,
    new (
      data: object,
    ) => { validate(): void }
  >
  if (Model === undefined) return `There is no ${object.apiVersion} ${object.kind}.`
  try {
    new Model(structuredClone(object)).validate()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Lists fields of these objects that their API types do not have, a line each. The schemas let unknown fields pass, as JSON schemas do;
 * the compiler does not let them into a literal, at any depth.
 */
export async function unknownFields(objects: readonly KubernetesObject[]): Promise<readonly string[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-types-'))
  try {
    const file = path.join(folder, 'objects.ts')
    const literals = objects.map((object, index) => {
      const declarations = resolve(findModule(object)).replace(/\.js$/, '')
      return `export const object${index}: import(${JSON.stringify(declarations)}).I${object.kind} = ${JSON.stringify(object, undefined, 1)}`
    })
    writeFileSync(file, literals.join('\n'))
    const compiler = path.join(path.dirname(resolve('typescript/package.json')), 'bin', 'tsc')
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--pretty', 'false', '--types', '']
    const resolution = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022']
    await run(process.execPath, [compiler, '--ignoreConfig', ...options, ...resolution, file], { cwd: folder })
    return []
  } catch (error) {
    const { stdout, message } = error as Error & { stdout?: string }
    const lines = (stdout ?? '').split('\n').filter((line) => /error TS\d+/.test(line))
    if (lines.length === 0) throw new Error(`The compiler did not run: ${stdout}${message}`)
    return lines
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function findModule({ apiVersion, kind }: KubernetesObject): string {
  return `kubernetes-models/${apiVersion}/${kind}`
}
