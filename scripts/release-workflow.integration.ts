/** The workflow of a release calls scripts of this repository and nothing else, and each of them works up to the line that publishes. That of the image runs in `dockerfile.long.ts`. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { packageRoot, packageVersion } from '../lib/package-root.js'
import type { Cleanup } from '../test/support/cleanup.js'
import { testFolder } from '../test/support/embedded.js'
import { releaseFolder, withoutPublishing } from '../test/support/release-scripts.js'

const run = promisify(execFile)

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly env?: Readonly<Record<string, string>>
}

const { jobs, on } = parse(readFileSync(path.join(packageRoot, '.github/workflows/release.yml'), 'utf8')) as {
  readonly on: { readonly push: { readonly tags: readonly string[] } }
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
}
const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run: command }) => command ?? []))

describe('the workflow of a release', () => {
  it('runs on a tag, and only scripts of the repository after the build', () => {
    assert.deepEqual(on.push.tags, ['v*'])
    const scripts = commands.filter((command) => command !== 'npm ci && npm run build')
    assert.deepEqual(
      [...new Set(scripts.map((command) => command.split(' ')[0]))].sort(),
      readdirSync(releaseFolder)
        .filter((name) => name !== 'version.sh')
        .map((name) => `scripts/release/${name}`)
        .sort(),
    )
    for (const command of scripts)
      assert.ok((statSync(path.join(packageRoot, command.split(' ')[0] ?? '')).mode & 0o111) !== 0, command)
  })

  it('packs the three packages, each without `private`', async (t) => {
    const out = path.join(testFolder(t), 'release')
    await runUnpublished(t, 'package.sh', { OUT: out })
    for (const name of ['posthorn', 'posthorn-client', 'n8n-nodes-posthorn']) {
      const { stdout } = await run('tar', [
        '-xzOf',
        path.join(out, `${name}-${packageVersion}.tgz`),
        'package/package.json',
      ])
      const manifest = JSON.parse(stdout) as { name: string; version: string; private?: boolean }
      assert.deepEqual([manifest.name, manifest.version, manifest.private], [name, packageVersion, undefined])
    }
  })

  it('builds the documentation, and names what it joins to one image', async (t) => {
    await runUnpublished(t, 'docs.sh')
    assert.match(
      await runUnpublished(t, 'manifest.sh', { IMAGE: 'ghcr.io/x/posthorn' }),
      new RegExp(`ghcr.io/x/posthorn:${packageVersion}`),
    )
  })

  it('refuses a tag of another version', async (t) => {
    await assert.rejects(runUnpublished(t, 'manifest.sh', { GITHUB_REF_NAME: 'v0.0.1' }), /The tag is v0\.0\.1/)
  })
})

/** Runs a script without its last line, the one that publishes. */
async function runUnpublished(t: Cleanup, name: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const copy = withoutPublishing(t, name)
  const { stdout } = await run('sh', [copy], { cwd: packageRoot, env: { ...process.env, ...env }, timeout: 240_000 })
  return stdout
}
