import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../../schemas/errors.js'
import { noteFrame } from '../network/port/sent-frames.js'
import { orUnknown } from './outcome.js'

describe('an error of a request to the network', () => {
  const findCode = async (work: () => Promise<unknown>) => {
    const error = await orUnknown(work).catch((one: unknown) => one)
    assert.ok(error instanceof GatewayError)
    return error
  }
  const sendThen = (error: Error) => async () => {
    await Promise.resolve()
    noteFrame()
    throw error
  }

  it('is an error of ours when nothing was sent, though other calls send at the same time', async () => {
    const failed = findCode(async () => {
      await new Promise(setImmediate)
      throw new Error('Unable to resolve PN JID for LID')
    })
    const others = findCode(sendThen(new Error('no answer')))
    assert.equal((await failed).code, 'INTERNAL')
    assert.equal((await others).code, 'OUTCOME_UNKNOWN')
  })

  it('is OUTCOME_UNKNOWN when a frame was sent and not answered', async () => {
    assert.equal((await findCode(sendThen(new Error('Timed Out')))).code, 'OUTCOME_UNKNOWN')
  })

  it('is the refusal of the network, with its code', async () => {
    const refusal = Object.assign(new Error('bad-request'), { data: 400 })
    const { code, fields } = await findCode(sendThen(refusal))
    assert.deepEqual([code, fields.provider_code], ['NETWORK_REFUSED', 400])
  })

  it('stays as it is when it has a code already', async () => {
    const error = new GatewayError('NOT_ON_NETWORK')
    assert.equal(await findCode(() => Promise.reject(error)), error)
  })
})
