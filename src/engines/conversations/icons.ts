// The icon for a topic, by the topic's words: a name that the reader can draw.

export const DEFAULT_ICON = 'comments'

/** Beginnings of words, folded as in text-words.ts, by icon. The first icon that a word of the topic has wins. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  key: 'password passwort kennwort contrasen mot-de-passe senha wachtwoord losenord пароль login log-in sign-in signin anmeld connexion sso saml oauth token secret credential 密码 登录 登陆',
  'shield-halved':
    'securit sicherheit securite seguridad sicurezza seguranca beveilig sakerhet безопас permission berechtigung forbidden role 安全 权限',
  'credit-card':
    'payment pay zahlung paiement pago pagament betaling betalning оплат credit card kreditkart invoice rechnung facture factura fattura fatura faktur счет billing price pricing subscription abonnement abo refund plan quota 支付 付款 账单 发票 计费 配额',
  users:
    'team member mitglied membre miembro membro lid medlem участник invite einlad invit user benutzer utilisateur usuario utente gebruiker anvandar пользовател collaborat 成员 邀请 用户 团队',
  envelope: 'mail e-mail email newsletter inbox smtp courriel correo posta почт 邮件 邮箱',
  bell: 'notification benachrichtig notif notifica alert 通知 提醒',
  image: 'image bild picture photo foto imagen immagine imagem screenshot thumbnail logo 图片 图像',
  'file-pdf': 'pdf',
  'file-import': 'import upload hochlad telecharg subir carica carreg 上传 导入',
  'file-export': 'export download herunterlad exporter descarg scarica baixar 导出 下载',
  'magnifying-glass': 'search such recherch busca ricerca cerca zoek sok поиск retriev 搜索 检索 查找',
  plug: 'integrat plugin add-on addon connector webhook extension slack notion zapier 插件 集成',
  code: 'api sdk endpoint json javascript typescript react angular vue python code html css script parse schema 代码 接口',
  database:
    'database datenbank base-de-donn sql postgres mysql backup storage bucket s3 knowledge dataset 数据 知识 存储',
  server: 'server docker deploy kubernetes host install self-hosted nginx 部署 服务器 安装',
  robot: 'ai llm model gpt openai prompt agent chatbot claude 模型 提示 智能',
  language: 'language sprache langue idioma lingua taal sprak язык translat ubersetz traduc 语言 翻译',
  gauge: 'slow langsam lent performance timeout latency speed perform 速度 超时',
  bug: 'error fehler erreur fallo errore erro fout fel ошибк bug crash broken exception 错误 报错 异常',
  'mobile-screen': 'mobile handy app android ios iphone phone 手机 移动',
  globe: 'domain dns url website browser ssl certificate zertifikat link 域名 网站',
  palette: 'theme design farbe color colour couleur font style template layout brand 主题 模板 样式',
  'chart-line':
    'report analytic statisti dashboard metric chart insight logs logging logfile monitor 统计 分析 日志 监控',
  calendar: 'calendar kalender date schedule termin timezone 日历 时间',
  gear: 'setting einstellung parametr config konfig ajuste impostazion instelling installning настройк option 设置 配置',
  truck:
    'ship delivery liefer livraison envio spedizion verzend leverans доставк order bestell commande pedido 发货 订单',
  trash: 'delet losch supprim elimina remov 删除',
  'pen-to-square': 'edit bearbeit modifi editor comment write 编辑 修改',
  book: 'documentation docs guide tutorial manual 文档 教程',
}

const RULES: readonly (readonly [icon: string, beginnings: readonly string[]])[] = Object.entries(
  BEGINNINGS,
).map(([icon, words]) => [icon, words.split(' ')])

export const ICONS: readonly string[] = [DEFAULT_ICON, ...RULES.map(([icon]) => icon)]

/** `words`: the words of the topic, the most important first. */
export function iconFor(words: readonly string[]): string {
  for (const word of words)
    for (const [icon, beginnings] of RULES) if (beginnings.some(one => fits(word, one))) return icon
  return DEFAULT_ICON
}

/** Short prefixes match whole words only: `ai` does not match `aisle`. */
const fits = (word: string, beginning: string): boolean =>
  beginning.length <= 3 && /^[a-z]/.test(beginning)
    ? word === beginning || word === `${beginning}s`
    : word.startsWith(beginning)
