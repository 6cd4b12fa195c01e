import assert from 'node:assert/strict'
import { it } from 'node:test'
import { judgeAudit } from './dependency-audit.js'

const report = (severity: string) =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities: { left: { name: 'left', severity, range: '<1.2.3' } } })

it('fails for a known vulnerability that is high or critical, and only reports a registry that does not answer audits', () => {
  assert.deepEqual(judgeAudit(report('critical')), { isBad: true, lines: ['critical: left <1.2.3'] })
  assert.equal(judgeAudit(report('high')).isBad, true)
  assert.deepEqual(judgeAudit(report('moderate')), { isBad: false, lines: ['moderate: left <1.2.3'] })
  assert.match(judgeAudit('{"vulnerabilities":{}}').lines.join(), /no vulnerability is known/)
  for (const silence of ['{"message":"405 Method Not Allowed","error":{"summary":""}}', '', 'not JSON'])
    assert.deepEqual(
      [judgeAudit(silence).isBad, /NOT audited/.test(judgeAudit(silence).lines.join())],
      [false, true],
      silence,
    )
})
