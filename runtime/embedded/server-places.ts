import { connect } from 'node:net'
import path from 'node:path'
import type { DatabasePlace } from '../connect/database-place.js'
import { type RedisPlace, redisAt } from '../connect/redis-place.js'
import { databaseName } from './postgres.js'
import { databaseUser } from './postgres-cluster.js'
import { findSocketFolder } from './socket-folder.js'

/** @param sockets the folder of `socketFolder` */
export function postgresSockets(sockets: string): string {
  return path.join(sockets, 'postgresql')
}

export function embeddedDatabase(sockets: string): DatabasePlace {
  // PostgreSQL's own form of a URL to a unix socket, understood by `pg`, psql and pg_dump.
  const folder = encodeURIComponent(postgresSockets(sockets))
  return { connectionString: `postgresql://${databaseUser}@/${databaseName}?host=${folder}` }
}

export function redisSocket(sockets: string): string {
  return path.join(sockets, 'redis.sock')
}

/** Returns the servers of this data folder that run now. Starts and writes nothing. */
export async function runningServers(dataFolder: string): Promise<{ database?: DatabasePlace; redis?: RedisPlace }> {
  const sockets = findSocketFolder(dataFolder)
  if (sockets === undefined) return {}
  const [hasDatabase, hasRedis] = await Promise.all([
    isListening(path.join(postgresSockets(sockets), '.s.PGSQL.5432')),
    isListening(redisSocket(sockets)),
  ])
  return {
    ...(hasDatabase ? { database: embeddedDatabase(sockets) } : {}),
    ...(hasRedis ? { redis: redisAt(redisSocket(sockets)) } : {}),
  }
}

/** Returns false for the socket of a server that has ended. */
function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    const end = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
  })
}
