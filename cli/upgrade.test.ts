import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { packageVersion } from '../lib/package-root.js'
import { UsageError } from './options.js'
import { checkText, readReleases, upgrade } from './upgrade.js'

const CHANGES = `# Changelog

## Unreleased

### Added

- Not yet.

## 99.10.0 - 2030-01-01

### Added

- One thing.
- Another thing,
  over two lines.

### Changed

- A setting has another
  name.

## 99.9.0

### Removed

- The old path.

## ${packageVersion}

### Fixed

- A mistake.
`

describe('posthorn upgrade --check', () => {
  it('names newer versions in order, what they change, and the next step', async (t) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'upgrade-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'CHANGELOG.md')
    writeFileSync(file, CHANGES)
    const written: string[] = []
    const output = { write: (text: string) => void written.push(text), note: () => {} }
    assert.equal(await upgrade(['--check', '--changelog', file], output), 0)
    const said = written.join('')
    assert.match(
      said,
      new RegExp(`^This is ${packageVersion.replaceAll('.', '\\.')}\\. The newest version .* is 99\\.10\\.0\\.`),
    )
    assert.ok(said.indexOf('99.9.0: 1 removed') < said.indexOf('99.10.0: 2 added, 1 changed'), said)
    assert.match(said, /Removed: The old path\.[\s\S]*Changed: A setting has another name\./)
    assert.match(
      said,
      /one release at a time, 99\.9\.0 first:[\s\S]*posthorn backup[\s\S]*npm install posthorn@99\.9\.0/,
    )
    assert.doesNotMatch(said, /Not yet|A mistake/)
  })

  it('says that no newer version is known, and where to look', () => {
    const text = checkText(readReleases(CHANGES), '99.10.0', '/srv/CHANGELOG.md')
    assert.match(text, /No newer one is known .*nobody was asked/)
    assert.doesNotMatch(text, /What to do/)
  })

  it('refuses to be taken for an installer, and a file that is not there', async () => {
    const output = { write: () => {}, note: () => {} }
    await assert.rejects(upgrade([], output), UsageError)
    await assert.rejects(upgrade(['--check', '--changelog', '/nowhere/CHANGELOG.md'], output), /There is no \/nowhere/)
  })
})
