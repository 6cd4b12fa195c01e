import type { FleetWords } from './en.js'

export const es: FleetWords = {
  needsAdmin: 'Solo el token del administrador puede ver esta página.',
  withReads: 'Mostrar también las lecturas y los inicios de sesión',
  never: 'nunca',
  more: 'Más',
  kept: (days: number) =>
    days === 0
      ? 'Los mensajes y eventos se guardan para siempre (RETENTION_DAYS).'
      : `Los mensajes y eventos se borran después de ${days} días (RETENTION_DAYS).`,
  docsHelp: 'todas las operaciones, para leer y probar.',
  needs: 'Requiere su atención',
  noNeeds: 'Todo está bien: nada requiere su atención.',
  missing: (count) =>
    count === 1
      ? '1 instancia no está conectada, aunque debería.'
      : `${count} instancias no están conectadas, aunque deberían.`,
  waiting: (count, minutes) =>
    `${count} eventos esperan un webhook que no los recibe, el más antiguo hace ${minutes} minutos.`,
  deadLetters: (count) =>
    count === 1
      ? '1 evento se abandonó: su webhook nunca lo recibió.'
      : `${count} eventos se abandonaron: sus webhooks nunca los recibieron.`,
  failedSends: (count) =>
    count === 1 ? '1 mensaje no se envió en la última hora.' : `${count} mensajes no se enviaron en la última hora.`,
  webhookOfAll: 'el webhook de todas las instancias',
  sendsWaiting: 'Envíos en espera',
  sendsScheduled: 'Mensajes programados',
  deliveriesWaiting: 'Entregas en espera',
  failedAttempts: 'Entregas fallidas de la última hora',
  nodeHours: 'La última hora de cada nodo',
  nodeHoursHelp: 'Qué tan ocupada estuvo cada máquina, minuto a minuto. Las líneas bajas y parejas son buenas.',
  nodeFigures: {
    lag: 'Espera de las llamadas',
    memory: 'Memoria',
    commit: 'Tiempo para guardar',
    journalWaiting: 'Aún sin guardar',
  },
  hourOf: (name, node, newest, most) => `${name}, ${node}: ahora ${newest}, como máximo ${most} en la última hora`,
  longestStop: (length, time, work, instance) =>
    `Parada más larga: ${length} a las ${time}${work === '' ? '' : `, durante ${work}`}${instance === '' ? '' : ` de ${instance}`}`,
  noReading: 'sin respuesta',
  grafanaHelp: 'las métricas de todos los nodos, durante más tiempo.',
  nodes: 'Nodos',
  node: 'Nodo',
  state: 'Estado',
  nodeStates: { active: 'activo', draining: 'vaciándose', silent: 'en silencio', dead: 'muerto' },
  storeStates: {
    outdated:
      'Este nodo usa un primario antiguo de PostgreSQL. No atiende ninguna instancia hasta que llegue al nuevo.',
    foreign: 'Este nodo usa otra base de datos que los demás nodos. No atiende ninguna instancia.',
    behind: 'PostgreSQL volvió atrás en el tiempo. Los nodos están a punto de empezar de nuevo.',
  },
  storeWentBack: {
    failover: (from, until) =>
      `PostgreSQL pasó a un servidor sin sus últimos commits. Pueden faltar mensajes y ajustes desde ${from} hasta ${until}.`,
    restore: (from, until) =>
      `PostgreSQL continúa desde una copia más antigua. Pueden faltar mensajes y ajustes desde ${from} hasta ${until}.`,
  },
  storeNoticed: (at, node) => `Lo notó ${node}: ${at}.`,
  unknownTime: 'un momento desconocido',
  version: 'Versión',
  shards: 'Partes',
  instances: 'Instancias',
  lastSeen: 'Visto por última vez',
  actions: 'Acciones',
  drain: 'Vaciar',
  drainOf: (node) => `Vaciar ${node}`,
  drainHelp: (shards, instances, others) =>
    `${instances} instancias en ${shards} partes pasan a ${others} nodos. Cada una falta un momento. El nodo no recibe ninguna de vuelta hasta reiniciar.`,
  drainAlone: 'Ningún otro nodo puede recibirlas: este las conserva hasta que venga otro.',
  left: (shards, instances) => `Quedan ${shards} partes con ${instances} instancias`,
  drained: 'Vacío: se puede detener.',
  noOwner: 'sin dueño',
  shardTitle: (shard, node, instances) => `Parte ${shard}: ${node}, ${instances} instancias`,
  whereIs: '¿Dónde está una instancia?',
  whereLabel: 'Nombre, número o id',
  find: 'Buscar',
  noEntries: 'Ningún registro coincide.',
  newest: 'A los más nuevos',
  older: 'Más antiguos',
  operation: 'Operación',
  subject: 'Sobre',
  pass: 'Sesión',
  fromDay: 'Desde',
  filter: 'Filtrar',
  clear: 'Limpiar',
  at: 'Cuándo',
  who: 'Quién',
  outcome: 'Resultado',
  request: 'Llamada, dirección',
  underWay: 'sin respuesta',
  actors: { admin: 'administrador', token: 'token', key: 'clave', unknown: 'desconocido', node: 'nodo' },
  passOf: (id) => `sesión ${id}`,
}
