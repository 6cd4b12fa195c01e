import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { UNSENDABLE } from '../../../actors/instance/sends/departures.js'
import { refusalSentence } from '../../../actors/instance/sends/refusals.js'
import { packageRoot } from '../../../lib/package-root.js'
import { clockDifference } from '../../../runtime/chatwoot/clock-difference.js'
import { parseMenu } from '../../../schemas/choices/parse.js'
import { errors } from '../../../schemas/errors.js'
import { parseAddress } from '../../../schemas/jid.js'
import { unknownPlaceholders } from '../../../schemas/placeholders.js'
import { failureSentences } from '../words/sentences/failures.js'
import { modelSentences } from '../words/sentences/models.js'
import { numberSentences } from '../words/sentences/numbers.js'
import { warningSentences } from '../words/sentences/warnings.js'
import { type SentenceTable, saySentence } from './sentences.js'

const OTHERS = ['pt-BR', 'es'] as const
const tables: Readonly<Record<string, SentenceTable>> = {
  numberSentences,
  failureSentences,
  warningSentences,
  modelSentences,
}
const LITERAL = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g

/** Returns the source of files of the gateway, without comments, log lines and errors for developers. */
function readSource(files: readonly string[]): string {
  return files
    .map((file) => readFileSync(path.join(packageRoot, file), 'utf8'))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^import .*$/gm, '')
    .replace(/logger\.\w+\([\s\S]*?['`],?\s*\)/g, '')
    .replace(/new Error\([^)]*\)/g, '')
}

/** Returns the fixed parts of sentences: the pieces of at least three words between values. */
function findPieces(literals: readonly string[]): string[] {
  return literals
    .flatMap((literal) => literal.slice(1, -1).split(/\$\{[^}]*\}/))
    .map((piece) => piece.trim())
    .filter((piece) => piece.split(' ').length > 2)
}

const findLiterals = (...files: readonly string[]): string[] => readSource(files).match(LITERAL) ?? []

/** Returns the literals in calls of a function that takes a sentence. */
function findSaid(call: RegExp, ...files: readonly string[]): string[] {
  const all = new RegExp(`(?:${call.source})\\(\\s*(?:'\\w+',\\s*)?(${LITERAL.source})`, 'g')
  return [...readSource(files).matchAll(all)].map(([, literal = '']) => literal)
}

function assertKnown(pieces: readonly string[], table: SentenceTable): void {
  assert.ok(pieces.length > 3, 'The files have sentences.')
  const known = Object.values(table.en)
  assert.deepEqual(
    pieces.filter(
      (piece) => !known.some((text) => text.includes(piece)) && saySentence(piece, 'es', [table]) === piece,
    ),
    [],
  )
}

/** A trial of an agent transcribes nothing. */
const OF_RECORDINGS = /transcri|Recordings|recording|The answer has no text|no text/

const findRefusal = (number: string, country = ''): string => {
  try {
    parseAddress(number, 'number', country)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error(`${number} is a number.`)
}

describe('sentences of the gateway', () => {
  it('have the same values in each language', () => {
    const listValues = (text = '') => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()
    for (const [name, table] of Object.entries(tables))
      for (const language of OTHERS)
        for (const [key, english] of Object.entries(table.en)) {
          const mine = table[language][key]
          assert.ok(
            listValues(mine).every((value) => listValues(english).includes(value)),
            `${name} ${key} ${language}`,
          )
          assert.notEqual(mine, english, `${name} ${key} ${language}`)
        }
  })

  it('about numbers are known to the dashboard', () => {
    const files = ['jid', 'number-text', 'phone-number', 'username'].map((name) => `schemas/${name}.ts`)
    assertKnown(findPieces(findLiterals(...files, 'actors/operations/contacts/index.ts')), numberSentences)
  })

  it('say why a number is refused, with its wrong character', () => {
    const say = (text: string, language: 'pt-BR' | 'es') => saySentence(text, language, [numberSentences])
    assert.equal(
      say(findRefusal('+55 11 9x999-0001'), 'pt-BR'),
      'Número inválido: contém "x", que não faz parte de um telefone.',
    )
    for (const language of OTHERS)
      for (const [number, country] of [['12'], ['011999990001'], ['99999'], ['1/2'], ['5,5,5'], ['123456789', 'BR']])
        assert.doesNotMatch(say(findRefusal(number ?? '', country), language), /\b(it|the|with|which|number)\b/, number)
  })

  it('about failed messages are known to the dashboard', () => {
    const files = ['unsendable', 'relays', 'departures', 'first-sends']
    const literals = findLiterals(...files.map((name) => `actors/instance/sends/${name}.ts`))
    assertKnown(findPieces(literals), failureSentences)
    for (let code = 400; code < 600; code += 1) {
      const said = saySentence(refusalSentence(code), 'es', [failureSentences])
      assert.ok(said.startsWith(`WhatsApp rechazó el mensaje (${code})`) && !said.includes('refused'), said)
    }
    for (const code of UNSENDABLE) {
      // Its text names the field.
      if (code === 'INVALID_REQUEST') continue
      assert.notEqual(saySentence(errors[code].means, 'es', [failureSentences]), errors[code].means)
    }
  })

  it('say why a message failed, with the code of WhatsApp', () => {
    const say = (text: string) => saySentence(text, 'pt-BR', [failureSentences, numberSentences])
    assert.equal(say(refusalSentence(500)), 'O WhatsApp recusou a mensagem (500).')
    assert.equal(
      say('It was not sent within 90 seconds of its time.'),
      'Não foi enviada em até 90 segundos depois do horário marcado.',
    )
    assert.equal(
      say('It could not be handed to WhatsApp: ECONNRESET'),
      'Não foi possível entregar a mensagem ao WhatsApp: ECONNRESET',
    )
    assert.equal(say('A sentence of a later release.'), 'A sentence of a later release.')
  })

  it('about sends, deliveries and Chatwoot are known to the dashboard', () => {
    const sends = ['named-messages', 'prepare-media', 'delivery', 'admission', 'fallbacks']
    const files = [
      ...['choices/limits', 'choices/parse', 'choices/carousel', 'send-time'].map((name) => `schemas/${name}.ts`),
      ...sends.map((name) => `actors/instance/sends/${name}.ts`),
      ...['text', 'media', 'options'].map((name) => `api/routes/send/${name}.ts`),
      'api/answers/replay.ts',
      'runtime/media/file-conversion.ts',
      'runtime/chatwoot/check-settings.ts',
      'runtime/chatwoot/directory.ts',
    ]
    const said = findSaid(/\bwarn|asked\.warn\?\.|warnings\.push|checkLength/, ...files)
    const named = readSource(files).match(
      /(?<=(?:warning:|warning =|NOT_QUOTED =|warnings: \[) *)(?:'[^'\n]*'|`[^`]*`)/g,
    )
    assertKnown(findPieces([...said, ...(named ?? [])]), warningSentences)
    for (const aheadMs of [90_000, -90_000])
      assert.doesNotMatch(saySentence(clockDifference(aheadMs), 'es', [warningSentences]), /database/)
  })

  it('about placeholders keep their names', () => {
    const [said = ''] = unknownPlaceholders(new Set(['nam']), null)
    assert.match(said, /did you mean/)
    assert.equal(
      saySentence(said, 'pt-BR', [warningSentences]),
      '{{nam}} não é um campo da conversa e foi enviado como está; seria {{name}}?',
    )
  })

  it('of menus keep the fields that they are about', () => {
    const { warnings } = parseMenu({
      type: 'button',
      text: 'T'.repeat(1_025),
      choices: ['A|a', 'B|a', '[Title]', 'C|https://example.com'],
      listButton: 'Open',
    } as Parameters<typeof parseMenu>[0])
    assert.ok(warnings.length > 3)
    for (const language of OTHERS)
      for (const warning of warnings) {
        const said = saySentence(warning, language, [warningSentences])
        assert.doesNotMatch(said, /\b(the|and|were|was|clients)\b/)
        const [place] = /choices\[\d\]/.exec(warning) ?? []
        if (place !== undefined) assert.ok(said.includes(place), said)
      }
  })

  it('of models are known to the dashboard, with what the provider said', () => {
    const models = ['agent-models', 'transport', 'chat', 'prompt', 'answer'].map(
      (name) => `runtime/agents/models/${name}.ts`,
    )
    const files = [...models, 'actors/agents/loop.ts', 'actors/agents/trials.ts', 'actors/agents/tools/definitions.ts']
    const said = findSaid(/ModelError|broken|warnings\.(?:add|push)/, ...files, 'runtime/agents/day-budget.ts')
    const named = readSource(files).match(
      /(?<=^\s*(?:\w+: |: \[|return \[\s*|warning: ?\[?))(?:'[A-Z][^'\n]*\.'|`[^`]*`)/gm,
    )
    assertKnown(
      findPieces([...said, ...(named ?? [])]).filter((piece) => !OF_RECORDINGS.test(piece)),
      modelSentences,
    )
    assert.equal(
      saySentence('The provider refuses the request. It says: No such model.', 'pt-BR', [modelSentences]),
      'O provedor recusa o pedido. Ele diz: No such model.',
    )
    assert.equal(
      saySentence('Knowledge was searched by its words only: The agent has no key.', 'es', [modelSentences]),
      'El conocimiento se buscó solo por sus palabras: El agente no tiene clave.',
    )
  })
})
