import { it } from 'node:test'
import { redisAt } from '../../runtime/connect/redis-place.js'
import { startProxy } from '../support/proxy.js'
import { redisProcess } from '../support/redis-sets.js'
import { redisUsers } from './redis-users.js'

it('silently dead connections to Redis are opened again', async (t) => {
  const { port } = await redisProcess(t)
  const proxy = await startProxy(t, () => ({ host: '127.0.0.1', port }))
  const users = await redisUsers(t, redisAt(`redis://127.0.0.1:${proxy.port}`, 1_000))
  await users.allWork()
  proxy.lose()
  await users.allWork()
})
