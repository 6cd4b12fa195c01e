import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { packageRoot } from '../schemas/package-root.js'

/** Maximum of kilobytes (1,000 bytes) after gzip. */
const FIRST_SCRIPTS_KB = 135
const STYLES_KB = 20
const ALL_KB = 500

const folder = path.join(packageRoot, 'dist', 'dashboard')
const page = readFileSync(path.join(folder, 'index.html'), 'utf8')
const files = readdirSync(path.join(folder, 'assets')).filter((name) => /\.(js|css)$/.test(name))
const kilobytes = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(path.join(folder, 'assets', name))).length, 0) / 1_000

describe('the built dashboard', () => {
  it('is small', (t) => {
    const first = files.filter((name) => name.endsWith('.js') && page.includes(`assets/${name}`))
    const styles = files.filter((name) => name.endsWith('.css'))
    const sizes = { first: kilobytes(first), styles: kilobytes(styles), all: kilobytes(files) }
    t.diagnostic(JSON.stringify(sizes))
    assert.ok(first.length > 0)
    assert.ok(sizes.first <= FIRST_SCRIPTS_KB, `${sizes.first} KB of scripts before the sign-in`)
    assert.ok(sizes.styles <= STYLES_KB, `${sizes.styles} KB of styles`)
    assert.ok(sizes.all <= ALL_KB, `${sizes.all} KB in all`)
  })

  it('has nothing inline, and only relative addresses', () => {
    assert.doesNotMatch(page, /<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/)
    for (const [, address = ''] of page.matchAll(/(?:src|href)="([^"]*)"/g)) assert.match(address, /^\.\//)
  })

  it('has the licences of what it holds of others', () => {
    const licences = readFileSync(path.join(folder, 'licences.txt'), 'utf8')
    for (const name of ['react-dom', '@tanstack/react-router', '@base-ui/react'])
      assert.ok(licences.includes(name), name)
  })
})
