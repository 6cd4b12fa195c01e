import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatCsv } from './csv.js'

describe('a table as CSV', () => {
  it('quotes what needs it, and lets no cell be a formula', () => {
    assert.equal(
      formatCsv([
        ['a,b', 'say "x"', 'two\nlines'],
        ['=1+1', '+55 11', '-1', '@SUM(A1)', 'ok'],
      ]),
      '\ufeff"a,b","say ""x""","two\nlines"\r\n\'=1+1,\'+55 11,\'-1,\'@SUM(A1),ok\r\n',
    )
  })
})
