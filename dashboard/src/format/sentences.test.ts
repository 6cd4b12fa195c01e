import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeEnding, reactions } from '../../../actors/network/disconnects.js'
import { endings } from '../words/sentences/endings.js'
import { sayEnding } from './sentences.js'

const OTHERS = ['pt-BR', 'es'] as const
const causes = Object.keys(reactions) as (keyof typeof reactions)[]

describe('why a connection ended', () => {
  it('is known to the dashboard for each cause of the gateway', () => {
    const ofGateway = Object.entries(reactions).map(([cause, { sentence }]) => [cause, sentence])
    assert.deepEqual(endings.en, Object.fromEntries(ofGateway))
  })

  it('is in the language of the reader, with the code and the detail of the network', () => {
    const reason = describeEnding({ cause: 'lost', code: 408, detail: 'ETIMEDOUT at web.whatsapp.com (443)' })
    assert.equal(
      sayEnding(reason, 'pt-BR', endings),
      '408: A conexão caiu; vamos reconectar (ETIMEDOUT at web.whatsapp.com (443)).',
    )
    assert.equal(sayEnding(describeEnding({ cause: 'asked', code: 0 }), 'es', endings), 'Desconectada a petición.')
    assert.equal(
      sayEnding(describeEnding({ cause: 'unavailable', code: 503, isPairing: true }), 'pt-BR', endings),
      '503: O WhatsApp está indisponível; conecte de novo.',
    )
  })

  it('is said in each language for each cause, also of a pairing', () => {
    for (const language of OTHERS)
      for (const cause of causes)
        for (const isPairing of [false, true]) {
          const said = sayEnding(describeEnding({ cause, code: 7, detail: 'why', isPairing }), language, endings)
          assert.ok(said.startsWith('7: ') && said.endsWith(' (why).'), said)
          assert.doesNotMatch(said, /connect |again| the /, said)
          if (isPairing) assert.doesNotMatch(said, /vamos reconectar|volveremos a conectar/, said)
        }
  })

  it('stays as it came where it is not known, is too long, or the reader reads English', () => {
    const known = describeEnding({ cause: 'lost', code: 0 })
    const long = describeEnding({ cause: 'lost', code: 0, detail: 'x'.repeat(2_000) })
    assert.equal(sayEnding('A sentence of a later release.', 'es', endings), 'A sentence of a later release.')
    assert.equal(sayEnding(long, 'es', endings), long)
    assert.equal(sayEnding(known, 'en', endings), known)
  })
})
