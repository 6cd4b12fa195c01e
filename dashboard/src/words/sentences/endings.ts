/** Why a connection ended, by its cause. The English texts are those of the gateway (`actors/network/disconnects.ts`). */
const en = {
  restart: 'WhatsApp asked for a new connection.',
  lost: 'The connection was lost; we connect again.',
  unreachable: 'WhatsApp could not be reached; we connect again.',
  proxyFailed: 'The proxy of the instance failed; we connect again.',
  dead: 'The connection was open but WhatsApp no longer answered; we connect again.',
  unavailable: 'WhatsApp is unavailable; we connect again.',
  badSession: 'WhatsApp ended the connection without a reason; we connect again.',
  replaced: 'Another client connected as this device; we connect again after a long wait. Stop the other client.',
  loggedOut: 'logged out from another device; pair the instance again.',
  forbidden: 'WhatsApp refuses this account; check the phone for a ban or a restriction.',
  temporarilyBanned: 'WhatsApp has banned the account for a time; we connect again when it is over.',
  versionRefused:
    'WhatsApp refuses our version; we connect again as soon as a newer one is known. If WA_VERSION is set, unset it or set a newer one.',
  clientRefused:
    'WhatsApp refuses the client that this gateway reports to be; we connect again after a long wait. Update the gateway if it lasts.',
  loginNotFound:
    'WhatsApp did not find this login; we connect again after a long wait. If it lasts, disconnect the instance and pair it again.',
  loginRefused: 'WhatsApp refused the login; we connect again after a long wait.',
  multideviceMismatch: 'The account does not accept linked devices; pair the instance again.',
  pairingExpired: 'Pairing expired; connect again for a new QR or code.',
  pairingRefused: 'WhatsApp refused the pairing.',
  passkeyRequired:
    'WhatsApp requires a passkey from this account, and the gateway is not configured for passkeys: set WA_PASSKEY_PAIRING=true and connect again, or try again in a few days, since WhatsApp has lifted this requirement for some accounts.',
  passkeyExpired: 'The pairing with a passkey was not finished in time; connect again.',
  passkeyFailed: 'The pairing with a passkey failed; connect again.',
  instanceLimit:
    'The phone was not linked: the server has reached its limit of connected instances (INSTANCES_MAX). Connect again when another instance has been disconnected.',
  storeFailed: 'Our store could not be written or read; we connect again.',
  programError: 'The gateway had an internal error, which its log describes; we connect again.',
  ownershipLost: 'Another node owns this instance now.',
  stopped: 'Stopped on request; the pairing is kept. POST /instance/start connects again.',
  asked: 'Disconnected on request.',
}

const ptBr: typeof en = {
  restart: 'O WhatsApp pediu uma nova conexão.',
  lost: 'A conexão caiu; vamos reconectar.',
  unreachable: 'Não foi possível acessar o WhatsApp; vamos reconectar.',
  proxyFailed: 'O proxy da instância falhou; vamos reconectar.',
  dead: 'A conexão estava aberta, mas o WhatsApp parou de responder; vamos reconectar.',
  unavailable: 'O WhatsApp está indisponível; vamos reconectar.',
  badSession: 'O WhatsApp encerrou a conexão sem informar o motivo; vamos reconectar.',
  replaced:
    'Outro cliente se conectou como este aparelho; vamos reconectar depois de uma longa espera. Pare o outro cliente.',
  loggedOut: 'Desconectada por outro aparelho; pareie a instância de novo.',
  forbidden: 'O WhatsApp recusa esta conta; veja no celular se há banimento ou restrição.',
  temporarilyBanned: 'O WhatsApp baniu a conta por um tempo; vamos reconectar quando o banimento terminar.',
  versionRefused:
    'O WhatsApp recusa a nossa versão; vamos reconectar assim que houver uma mais nova. Se WA_VERSION estiver definida, remova-a ou defina uma versão mais nova.',
  clientRefused:
    'O WhatsApp recusa o cliente que este gateway informa ser; vamos reconectar depois de uma longa espera. Se continuar, atualize o gateway.',
  loginNotFound:
    'O WhatsApp não encontrou este login; vamos reconectar depois de uma longa espera. Se continuar, desconecte a instância e pareie de novo.',
  loginRefused: 'O WhatsApp recusou o login; vamos reconectar depois de uma longa espera.',
  multideviceMismatch: 'A conta não aceita aparelhos conectados; pareie a instância de novo.',
  pairingExpired: 'O pareamento expirou; conecte de novo para receber um novo QR ou código.',
  pairingRefused: 'O WhatsApp recusou o pareamento.',
  passkeyRequired:
    'O WhatsApp exige uma passkey (chave de acesso) desta conta, e o gateway não está configurado para passkeys: defina WA_PASSKEY_PAIRING=true e conecte de novo, ou tente daqui a alguns dias, pois o WhatsApp já dispensou algumas contas dessa exigência.',
  passkeyExpired: 'O pareamento com passkey não terminou a tempo; conecte de novo.',
  passkeyFailed: 'O pareamento com passkey falhou; conecte de novo.',
  instanceLimit:
    'O celular não foi vinculado: o servidor atingiu o limite de instâncias conectadas (INSTANCES_MAX). Conecte de novo quando outra instância for desconectada.',
  storeFailed: 'Não foi possível gravar ou ler os nossos dados; vamos reconectar.',
  programError: 'O gateway teve um erro interno, descrito no log; vamos reconectar.',
  ownershipLost: 'Outro nó cuida desta instância agora.',
  stopped: 'Parada a pedido; o pareamento continua. POST /instance/start conecta de novo.',
  asked: 'Desconectada a pedido.',
}

const es: typeof en = {
  restart: 'WhatsApp pidió una conexión nueva.',
  lost: 'Se perdió la conexión; volveremos a conectar.',
  unreachable: 'No se pudo llegar a WhatsApp; volveremos a conectar.',
  proxyFailed: 'El proxy de la instancia falló; volveremos a conectar.',
  dead: 'La conexión estaba abierta, pero WhatsApp dejó de responder; volveremos a conectar.',
  unavailable: 'WhatsApp no está disponible; volveremos a conectar.',
  badSession: 'WhatsApp cerró la conexión sin dar un motivo; volveremos a conectar.',
  replaced:
    'Otro cliente se conectó como este dispositivo; volveremos a conectar después de una larga espera. Detenga el otro cliente.',
  loggedOut: 'Otro dispositivo cerró la sesión; empareje la instancia de nuevo.',
  forbidden: 'WhatsApp rechaza esta cuenta; revise en el teléfono si hay un bloqueo o una restricción.',
  temporarilyBanned: 'WhatsApp bloqueó la cuenta por un tiempo; volveremos a conectar cuando termine.',
  versionRefused:
    'WhatsApp rechaza nuestra versión; volveremos a conectar en cuanto se conozca una más nueva. Si WA_VERSION está definida, quítela o defina una más nueva.',
  clientRefused:
    'WhatsApp rechaza el cliente que este gateway dice ser; volveremos a conectar después de una larga espera. Si continúa, actualice el gateway.',
  loginNotFound:
    'WhatsApp no encontró este inicio de sesión; volveremos a conectar después de una larga espera. Si continúa, desconecte la instancia y emparéjela de nuevo.',
  loginRefused: 'WhatsApp rechazó el inicio de sesión; volveremos a conectar después de una larga espera.',
  multideviceMismatch: 'La cuenta no acepta dispositivos vinculados; empareje la instancia de nuevo.',
  pairingExpired: 'El emparejamiento caducó; conecte de nuevo para recibir otro QR o código.',
  pairingRefused: 'WhatsApp rechazó el emparejamiento.',
  passkeyRequired:
    'WhatsApp exige una passkey (clave de acceso) de esta cuenta, y el gateway no está configurado para passkeys: defina WA_PASSKEY_PAIRING=true y conecte de nuevo, o inténtelo dentro de unos días, porque WhatsApp ya retiró este requisito a algunas cuentas.',
  passkeyExpired: 'El emparejamiento con passkey no terminó a tiempo; conecte de nuevo.',
  passkeyFailed: 'El emparejamiento con passkey falló; conecte de nuevo.',
  instanceLimit:
    'El teléfono no se vinculó: el servidor llegó a su límite de instancias conectadas (INSTANCES_MAX). Conecte de nuevo cuando otra instancia se haya desconectado.',
  storeFailed: 'No se pudieron guardar o leer nuestros datos; volveremos a conectar.',
  programError: 'El gateway tuvo un error interno, descrito en su registro; volveremos a conectar.',
  ownershipLost: 'Otro nodo se encarga ahora de esta instancia.',
  stopped: 'Detenida a petición; el emparejamiento se conserva. POST /instance/start conecta de nuevo.',
  asked: 'Desconectada a petición.',
}

export const endings = { 'pt-BR': ptBr, es, en } as const
