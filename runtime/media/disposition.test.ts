import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bareName, nameInDisposition } from './file-source.js'

/** UTF-8 as Node.js gives it to readers of headers. */
const raw = (text: string): string => Buffer.from(text).toString('latin1')

it('reads the name of a file as servers write it', () => {
  for (const [header, name] of [
    ['', ''],
    ['inline', ''],
    ['attachment; filename="plans.pdf"', 'plans.pdf'],
    ['attachment; filename=plans.pdf', 'plans.pdf'],
    ['ATTACHMENT; FileName=plans.pdf;', 'plans.pdf'],
    ['filename="plans.pdf"', 'plans.pdf'],
    ['attachment; filename=my plans.pdf', 'my plans.pdf'],
    ['attachment; filename="say \\"hi\\".pdf"', 'say "hi".pdf'],
    ["attachment; filename*=UTF-8''a%C3%A7%C3%A3o.pdf", 'ação.pdf'],
    ['attachment; filename="acao.pdf"; filename*=UTF-8\'\'a%C3%A7%C3%A3o.pdf', 'ação.pdf'],
    ["attachment; filename*=utf-8'pt'a%C3%A7%C3%A3o.pdf; filename=acao.pdf", 'ação.pdf'],
    ["attachment; filename*=iso-8859-1''a%E7%E3o.pdf", 'ação.pdf'],
    ['attachment; filename*="UTF-8\'\'a%C3%A7%C3%A3o.pdf"', 'ação.pdf'],
    ['attachment; filename*=UTF-8\'\'100%.pdf; filename="whole.pdf"', 'whole.pdf'],
    [raw('attachment; filename="ação.pdf"'), 'ação.pdf'],
    [raw('attachment; filename=ação final.pdf'), 'ação final.pdf'],
    ['attachment; filename="a\xe7\xe3o.pdf"', 'ação.pdf'],
    ['attachment; filename="=?UTF-8?B?YcOnw6NvLnBkZg==?="', 'ação.pdf'],
    ['attachment; filename="=?utf-8?Q?a=C3=A7=C3=A3o_final.pdf?="', 'ação final.pdf'],
    ['attachment; filename="=?UTF-8?B?YcOnw6Nv?= =?UTF-8?B?LnBkZg==?="', 'ação.pdf'],
    ['attachment; filename="my%20plans%C3%A7.pdf"', 'my plansç.pdf'],
    ['attachment; filename="100% done.pdf"', '100% done.pdf'],
    ['attachment; filename="C:\\\\Users\\\\ana\\\\plans.pdf"', 'plans.pdf'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="%2e%2e%2fplans.pdf"', 'plans.pdf'],
    ['attachment; filename=".."', ''],
    ['attachment; filename="plans\u0000.pdf"', 'plans.pdf'],
    [`attachment; filename="${'x'.repeat(300)}"`, 'x'.repeat(200)],
  ] as const)
    assert.equal(nameInDisposition(header), name, header)
  assert.equal(bareName('a/b\\c.txt'), 'c.txt')
})
