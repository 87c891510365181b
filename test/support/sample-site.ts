// The documentation of a made-up product, small and in three languages: enough that each question has one page that
// answers it and others that share words with it.
export type SamplePage = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly sections: readonly { readonly anchor: string; readonly heading: string; readonly body: string }[]
}

type Sections = Readonly<Record<string, string>>

/** The text below the empty heading begins the page. */
const page = (id: string, title: string, description: string, sections: Sections): SamplePage => ({
  id,
  title,
  description,
  sections: Object.entries(sections).map(([heading, body]) => ({
    anchor: heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-'),
    heading,
    body,
  })),
})

export const ENGLISH_PAGES: readonly SamplePage[] = [
  page('en/install', 'Installation', 'Get Heron running on a machine of your own.', {
    '': 'Heron copies databases to a safe place. It runs on Linux and on macOS.',
    Requirements: 'Two processors, 2 GB of memory, and a disk that holds the largest database once.',
    'First start':
      'Start the server with heron serve. It prints the address of the console and the password of the first owner.',
  }),
  page('en/backups', 'Backups', 'When copies are made and how long they stay.', {
    '': 'A backup is a full copy of a database, made while it is in use.',
    Schedule: 'Choose an hour of the day, or every hour. Two backups of one database never run at once.',
    Retention:
      'Old copies are kept for 30 days and then removed. A copy that is pinned stays until it is unpinned.',
    'How a copy is made': 'For PostgreSQL the server calls pg_dump, for MySQL it calls mysqldump.',
  }),
  page('en/restore', 'Restoring', 'Bring a database back.', {
    '': 'Pick a copy and a target. The target may be the database itself or an empty one.',
    'Point in time':
      'With the log of transactions a database can be restored to any second of the last week.',
    'After a restore': 'Run the checks again, then let the application connect.',
  }),
  page('en/people', 'People and roles', 'Who may see and do what.', {
    Invitations: 'An owner invites people by email. An invitation expires after seven days.',
    Roles:
      'A viewer sees backups, an operator starts and restores them, an owner also manages people and billing.',
    'Leaving people': 'Removing somebody ends their sessions at once. What they made stays.',
  }),
  page('en/sso', 'Single sign-on', 'Let people log in with the account of their company.', {
    '': 'SAML 2.0 and OpenID Connect are supported on every plan.',
    'Set up SAML':
      'Upload the metadata of the identity provider, then copy the address of the assertion consumer service.',
    'Required login': 'An owner can turn off passwords, so that everybody comes through the provider.',
  }),
  page('en/webhooks', 'Webhooks', 'Tell another system what happened.', {
    '': 'After each backup a request is posted to the addresses that you list.',
    Signature:
      'The header X-Heron-Signature holds the HMAC of the body. Compare it before you trust the request.',
    'Failed deliveries':
      'A delivery that is not answered within ten seconds is tried again, five times in all.',
  }),
  page('en/configuration', 'Configuration', 'Every setting of the server.', {
    Settings:
      'HERON_DATA_DIR: where the server keeps its files. HERON_MAX_CONNECTIONS: how many connections it opens to one database, 4 unless told. HERON_LOG_LEVEL: info unless told.',
    'Configuration file':
      'The same settings in camel case: dataDir, maxConnections, logLevel. The environment wins over the file.',
  }),
  page('en/cli', 'Command line', 'The program heron and its options.', {
    'heron backup': 'Makes a copy now. With --dry-run it only prints what it would do.',
    'heron list': 'Prints the copies of a database. With --json it prints them for a program.',
  }),
  page('en/billing', 'Billing', 'What Heron costs and how to pay.', {
    '': 'You pay for the space that copies take, by the month.',
    Invoices: 'An invoice is mailed on the first day of the month. Change its address in the console.',
    Cancelling: 'Cancel the subscription in the console. Copies can be downloaded for 14 more days.',
  }),
  page('en/alerts', 'Alerts', 'Hear of backups that fail.', {
    '': 'An alert is sent when a backup fails, is late, or is much smaller than the one before.',
    Channels: 'Email, a channel of a chat, or a text message to the phone of who is on duty.',
    Silence: 'Silence the alerts of a database for the time of a maintenance.',
  }),
  page('en/storage', 'Storage', 'Where copies lie.', {
    'Local disk': 'The folder of the data directory, or another one that the server may write.',
    'S3 bucket': 'Give the name of the bucket, its region and a key that may put, get and list objects.',
    Encryption: 'Files are encrypted with AES-256 before they leave the server. The key never leaves it.',
  }),
  page('en/troubleshooting', 'Troubleshooting', 'Messages and what to do about them.', {
    'Connection refused':
      'The database does not listen on this address, or a firewall is in between. Try the address with psql.',
    'Lock timeout':
      'Another program holds a lock on a table. Look for it in pg_stat_activity and wait for it or end it.',
    'No space left': 'Remove copies, or move the data directory to a larger disk.',
  }),
]

export const GERMAN_PAGES: readonly SamplePage[] = [
  page('de/installation', 'Installation', 'Heron auf einem eigenen Rechner einrichten.', {
    '': 'Heron kopiert Datenbanken an einen sicheren Ort. Es läuft unter Linux und macOS.',
    Voraussetzungen: 'Zwei Prozessoren, 2 GB Speicher und genug Platz auf der Festplatte.',
  }),
  page('de/sicherungen', 'Sicherungen', 'Wann Kopien entstehen und wie lange sie bleiben.', {
    Zeitplan: 'Eine Sicherung läuft täglich zu einer festen Stunde oder stündlich.',
    Aufbewahrung: 'Alte Kopien bleiben 30 Tage und werden dann gelöscht.',
  }),
  page('de/wiederherstellung', 'Wiederherstellung', 'Eine Datenbank zurückholen.', {
    '': 'Wählen Sie eine Kopie und ein Ziel. So lassen sich einzelne Datenbanken wiederherstellen.',
    Zeitpunkt: 'Mit dem Protokoll der Transaktionen ist jede Sekunde der letzten Woche erreichbar.',
  }),
  page('de/benutzer', 'Benutzer und Rollen', 'Wer was sehen und tun darf.', {
    Einladungen: 'Eigentümer laden Menschen per E-Mail ein. Eine Einladung gilt sieben Tage.',
    Rollen: 'Leser sehen Sicherungen, Bediener starten sie, Eigentümer verwalten auch die Benutzer.',
  }),
  page('de/abrechnung', 'Abrechnung', 'Was Heron kostet.', {
    '': 'Bezahlt wird monatlich der Platz, den die Kopien brauchen.',
    Rechnungen: 'Die Rechnung kommt am ersten Tag des Monats per E-Mail.',
    Kündigung: 'Das Abonnement lässt sich in der Konsole kündigen.',
  }),
  page('de/warnungen', 'Warnungen', 'Von fehlgeschlagenen Sicherungen erfahren.', {
    Kanäle: 'Eine Benachrichtigung geht per E-Mail, in einen Kanal oder als SMS auf das Telefon.',
    Stille: 'Während einer Wartung lassen sich Warnungen einer Datenbank abschalten.',
  }),
  page('de/speicherorte', 'Speicherorte', 'Wo die Kopien liegen.', {
    Festplatte: 'Ein Ordner, in den der Server schreiben darf.',
    'S3-Bucket': 'Nötig sind der Name, die Region und ein Schlüssel.',
  }),
  page('de/verschluesselung', 'Verschlüsselung', 'Wer die Kopien lesen kann.', {
    '': 'Dateien werden mit AES-256 verschlüsselt, bevor sie den Server verlassen.',
    'Schlüssel wechseln': 'Ein neuer Schlüssel gilt für neue Kopien. Ältere bleiben mit dem alten lesbar.',
  }),
  page('de/fehlersuche', 'Fehlersuche', 'Meldungen und was sie bedeuten.', {
    'Verbindung abgelehnt':
      'Die Datenbank hört nicht auf diese Adresse, oder eine Firewall liegt dazwischen.',
    'Kein Platz mehr': 'Löschen Sie Kopien oder nehmen Sie eine größere Festplatte.',
  }),
]

export const CHINESE_PAGES: readonly SamplePage[] = [
  page('zh/install', '安装', '在自己的服务器上运行 Heron。', {
    '': 'Heron 把数据库复制到安全的地方，支持 Linux 和 macOS。',
    系统要求: '两个处理器、2 GB 内存，以及足够的磁盘空间。',
  }),
  page('zh/backups', '备份', '什么时候备份，保留多久。', {
    计划: '每天在固定的时间备份一次，也可以每小时备份一次。',
    保留时间: '旧的副本保留 30 天，然后自动删除。',
  }),
  page('zh/restore', '恢复', '把数据库找回来。', {
    '': '选择一个副本和一个目标，就可以恢复数据库。',
    时间点恢复: '借助事务日志，可以恢复到最近一周的任何一秒。',
  }),
  page('zh/people', '用户与角色', '谁可以看什么、做什么。', {
    邀请: '所有者通过电子邮件邀请新用户，邀请七天后失效。',
    角色: '查看者只能查看备份，操作员可以启动备份，所有者还可以管理用户。',
  }),
  page('zh/sso', '单点登录', '用公司的账号登录。', {
    '': '所有版本都支持 SAML 2.0 和 OpenID Connect。',
    强制登录: '所有者可以关闭密码登录。',
  }),
  page('zh/webhooks', '网络钩子', '把发生的事情通知另一个系统。', {
    签名: '请求头 X-Heron-Signature 包含正文的签名。',
    重试: '十秒内没有回应的请求会再发送五次。',
  }),
  page('zh/billing', '计费', 'Heron 的价格和付款方式。', {
    发票: '每月第一天通过电子邮件发送发票。',
    取消订阅: '可以在控制台取消订阅，副本还能下载 14 天。',
  }),
  page('zh/alerts', '告警', '备份失败时收到通知。', {
    渠道: '电子邮件、聊天频道或者手机短信。',
    静默: '维护期间可以关闭某个数据库的告警。',
  }),
  page('zh/storage', '存储', '副本放在哪里。', {
    本地磁盘: '服务器可以写入的一个文件夹。',
    存储桶: '填写存储桶的名称、区域和密钥。',
    加密: '文件离开服务器之前用 AES-256 加密。',
  }),
]
