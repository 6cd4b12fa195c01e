import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSlugs, listSlugs } from './headings.js'
import { deadLinks, findTarget, listLinks, readPage, sourcePages } from './source-pages.js'

const INDEX = 'docs/README.md'

describe('the pages of docs/', () => {
  it('are all in the index', () => {
    const listed = new Set(listLinks(readPage(INDEX)).map((href) => findTarget(INDEX, href)?.file))
    const missing = sourcePages().filter((file) => file.startsWith('docs/') && !file.startsWith('docs/decisions/'))
    assert.deepEqual(
      missing.filter((file) => file !== INDEX && !listed.has(file)),
      [],
    )
  })

  it('have one decision for each number', () => {
    const numbers = sourcePages().flatMap((file) => /^docs\/decisions\/(\d+)-/.exec(file)?.[1] ?? [])
    assert.ok(numbers.length > 40)
    assert.deepEqual(numbers, [...new Set(numbers)])
  })
})

describe('links of the documentation', () => {
  it('lead to files and headings that exist', () => {
    const pages = sourcePages()
    assert.ok(pages.length > 40, `${pages.length} pages`)
    assert.deepEqual(deadLinks(pages), [])
  })

  it('are reported when their file or heading is missing', () => {
    const page = '[a](gone.md) [b](errors.md#nowhere) [c](errors.md) [d](https://example.org/x) `[e](no-link.md)`'
    assert.deepEqual(
      deadLinks(['docs/reference/new.md'], (file) => (file === 'docs/reference/new.md' ? page : readPage(file))),
      [
        'docs/reference/new.md: gone.md does not exist.',
        'docs/reference/new.md: errors.md#nowhere names no heading of that page.',
      ],
    )
  })
})

describe('names of headings', () => {
  it('are those of GitHub', () => {
    assert.deepEqual(
      [
        ...listSlugs(
          '# WAHA, engine NOWEB\n## `GET /chats`\n```sh\n# no heading\n```\n## A [link](x.md)\n## Olá, você',
        ),
      ],
      ['waha-engine-noweb', 'get-chats', 'a-link', 'olá-você'],
    )
    const slug = createSlugs()
    assert.deepEqual([slug('Errors'), slug('Errors')], ['errors', 'errors-1'])
  })
})
