import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** What a proxy does with WebSockets: it passes them, refuses them, or swallows the upgrade or all that follows it. */
export type UpgradeMode = 'pass' | 'refuse' | 'swallow_upgrade' | 'swallow_messages'

const UPGRADE_REQUEST = /^GET [^\r]*\r\n(?:[^\r]+\r\n)*upgrade: websocket\r\n/i

/** A simulated network: a proxy for all traffic between a browser and the console, which can fail. */
export class FaultyNetwork {
  readonly #server: Server
  readonly #connections = new Set<Socket>()
  readonly #target: { host: string; port: number }
  #isDown = false
  readonly #webSockets = new Set<{ near: Socket; far: Socket }>()
  /** What happens to WebSockets that are opened from now on. */
  upgrades: UpgradeMode = 'pass'
  /** Connections that were lost while something could still have come over them. */
  cutCount = 0

  private constructor(target: URL) {
    this.#target = { host: target.hostname, port: Number(target.port) }
    this.#server = createServer((near) => this.#forward(near))
  }

  static async start(url: string): Promise<FaultyNetwork> {
    const network = new FaultyNetwork(new URL(url))
    await new Promise<void>((resolve) => network.#server.listen(0, '127.0.0.1', resolve))
    return network
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Resets every connection (TCP RST); new ones can be opened. */
  cut(): void {
    for (const socket of this.#connections) socket.resetAndDestroy()
    this.cutCount += this.#connections.size / 2
    this.#connections.clear()
  }

  /** Open WebSockets stay open, and nothing passes them any more. */
  silenceWebSockets(): void {
    for (const { near, far } of this.#webSockets) {
      near.unpipe(far).resume()
      far.unpipe(near).resume()
    }
  }

  /** Resets every connection and accepts none until `restore`. */
  takeDown(): void {
    this.#isDown = true
    this.cut()
  }

  restore(): void {
    this.#isDown = false
  }

  close(): Promise<void> {
    this.cut()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #forward(near: Socket): void {
    if (this.#isDown) return void near.resetAndDestroy()
    const far = connect(this.#target)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#connections.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#connections.delete(socket)
        other.destroy()
      })
    }
    near.once('data', (first: Buffer) => {
      const isUpgrade = UPGRADE_REQUEST.test(first.toString('latin1'))
      if (isUpgrade && this.upgrades === 'refuse')
        return void near.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      if (isUpgrade && this.upgrades === 'swallow_upgrade') return
      far.write(first)
      if (isUpgrade && this.upgrades === 'swallow_messages')
        return void far.once('data', (reply: Buffer) => near.write(reply.subarray(0, reply.indexOf('\r\n\r\n') + 4)))
      near.pipe(far).pipe(near)
      if (!isUpgrade) return
      const webSocket = { near, far }
      this.#webSockets.add(webSocket)
      near.once('close', () => this.#webSockets.delete(webSocket))
    })
  }
}
