"""The words by which mail programs of many languages mark quotes, forwards, signatures and automatic mail.

These tables come last (M19): structure and our own marker line decide first, and what the tables miss is text without a
command, which is ignored and said so. All words are in lower case.
"""

from __future__ import annotations

import re
from typing import Final


def phrases(text: str) -> frozenset[str]:
    """Return the phrases of a table, parted by `|`."""
    return frozenset(phrase.strip() for phrase in text.split("|") if phrase.strip())


REPLY_PREFIXES: Final = phrases(
    """
    re|aw|antw|antwort|sv|svar|vs|ynt|yanıt|odp|odpowiedź|res|resp|rif|r|ris|rép|rép.|ref|bls|atb|απ|σχετ|отв|ответ
    |відп|回复|回覆|答复|答覆|返信|회신|답장|hsv|vá|vál|noi|ang|reply|risposta|respuesta|resposta|réponse|antwoord
    """
)
"""What mail programs put before the subject of an answer (a closed list, M33, M34)."""

FORWARD_PREFIXES: Final = phrases(
    """
    fw|fwd|wg|tr|rv|i|enc|vb|vl|doorst|pd|trans|videresend|redir|redir.|továbbítás|i̇lt|ilt|πρθ|пер|пересл|fs|转发|轉寄
    |轉發|전달|転送|rdir|forward|weitergeleitet|vidarebefordrat|doorgestuurd|inoltra|reenv|reenviado
    """
)
"""What mail programs put before the subject of a forwarded mail."""

TAG_PREFIXES: Final = phrases(
    """
    external|ext|extern|externe|externo|external email|external sender|external mail|caution|suspicious|spam|bulk
    |***spam***|possible spam|encrypted|secure
    """
)
"""What mail servers put in brackets before a subject."""

WROTE: Final = re.compile(
    r"\b(?:wrote|writes|schrieb(?:en)?|geschrieben|a écrit|escribió|escribio|escrigu[ée]|va escriure"
    r"|escreveu|ha scritto|scrive"
    r"|schreef|skrev|skrifaði|kirjoitti|kirjutas|napisał(?:\(a\))?|napisała|napsala?|napísala?|napisao|napisala|pisze"
    r"|je napisa[ol]|írta|a scris|scris|yazdı|rakstīja|rašė|написала?|написав|написао|пишет|пише|έγραψε"
    r"|đã viết|menulis)\b|写道|寫道|写到|書きました|のメール|작성|כתב|كتب|เขียน",
    re.IGNORECASE,
)
"""The verb of a quote's attribution, in 30 languages."""

FROM_LABELS: Final = phrases(
    """
    from|von|de|desde|da|van|från|fra|lähettäjä|od|nadawca|feladó|gönderen|kimden|от|от кого|від|від кого
    |отправитель|відправник|dari|từ|expéditeur|mittente|remetente|remitente|afzender|avsändare|afsender|odesílatel
    |odesilatel|odosielateľ|pošiljatelj|šalje|expeditor|de la|saatja|kellelt|nuo|no|από|发件人|寄件者|寄件人|差出人
    |送信元|送信者|보낸 사람|보낸사람|מאת|من
    """
)
OTHER_LABELS: Final = phrases(
    """
    to|an|para|à|a|aan|naar|till|til|vastaanottaja|do|komu|címzett|kime|alıcı|кому|pour|destinatario|destinatário
    |destinataire|příjemce|adresát|primatelj|prima|za|către|kellele|adresat|προς|收件人|宛先|送信先|받는 사람|받는사람
    |cc|kopie|copie|copia|cópia|kopia|kopi|kopio|kópia|másolat|másolatot kap|bilgi|копия|копія|copie à|kopie (cc)|kopija
    |sent|gesendet|gesendet am|envoyé|envoyé le|enviado el|enviado|enviada em|enviada|inviato|verzonden|skickat|sendt
    |lähetetty|wysłano|odesláno|odoslané|elküldve|gönderildi|gönderilme tarihi|отправлено|надіслано|poslano|trimis
    |saadetud|发送时间|寄件日期|送信日時|보낸 날짜|date|datum|fecha|data|dato|päivämäärä|päiväys|dátum|tarih|дата
    |datum i vrijeme|dată|kuupäev|ημερομηνία|日期|日付|날짜|message du|le
    |subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|aihe|temat|předmět|predmet|tárgy|konu|тема|subiect
    |sujet|naslov|teema|tēma|tema|θέμα|主题|主旨|主題|件名|제목|reply-to|antwort an|répondre à|importance|wichtigkeit
    """
)
"""The labels of the little header above a mail that is answered or forwarded."""

HEADER_LABELS: Final = FROM_LABELS | OTHER_LABELS

FORWARD_WORDS: Final = re.compile(
    r"forwarded|fwd|begin forward|weitergeleitet|transféré|réexpédié|transmis|reenviado|reenviada|mensaje reenviado"
    r"|inoltrat|encaminhad|doorgestuurd|vidarebefordra|videresend|videresendt|välitet|edelleenlähetet|przekazan"
    r"|przesłan|přeposlan|preposlan|továbbított|iletilen|iletilmiş|yönlendirilen|пересыла|перенаправ|переадрес|пересла"
    r"|redirecționat|redirecţionat|proslijeđen|prosleđen|edastatud|προωθημένο|转发|轉寄|転送|전달된",
    re.IGNORECASE,
)
"""In the line above a forwarded mail."""

BEGIN_FORWARD: Final = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)"
    r"|début du message (?:réexpédié|transféré)"
    r"|inicio del mensaje reenviado|inizio messaggio inoltrato|início da mensagem (?:reencaminhada|encaminhada)"
    r"|begin doorgestuurd bericht|vidarebefordrat (?:mejl|brev|meddelande)|vidaresänt (?:mejl|brev)"
    r"|start på videresendt (?:besked|meddelelse)|videresendt (?:melding|e-post)|välitetty viesti(?: alkaa)?"
    r"|początek przekazywanej wiadomości|początek przekazanej wiadomości|začátek přeposílané zprávy"
    r"|začiatok preposlanej správy|továbbított levél kezdete|ileti başlangıcı|iletilen ileti"
    r"|начало (?:переадресованного|пересылаемого) сообщения|початок листа, що пересилається"
    r"|mesaj redirecționat|începe mesajul redirecționat|započni proslijeđenu poruku|započinje proslijeđena poruka"
    r"|下面是被转发的邮件|开始转发的邮件|転送されたメッセージ|전달된 메시지의 시작)\s*:?",
    re.IGNORECASE,
)
"""Apple Mail's line above a forwarded mail."""

MOBILE_SIGNATURES: Final = re.compile(
    r"[<(«\s]*(?:sent (?:from|via|by|with|using)\b|get (?:\[?outlook|blackberry)|from my (?:iphone|ipad|android|phone)"
    r"|envoyé (?:de|depuis|à partir|via|avec)\b|(?:von|vom) mein\w* .{1,40} gesendet|gesendet (?:von|mit|über|aus)\b"
    r"|diese nachricht wurde von meinem|(?:holen sie sich |laden sie )?outlook für "
    r"|enviado (?:desde|con|do|a partir|via|de)\b"
    r"|enviada (?:desde|do|a partir)\b|obtener outlook|obtenir outlook|téléchargez outlook|télécharger outlook"
    r"|scarica outlook|ottieni outlook|obter o outlook|baixar o outlook|outlook voor |outlook til |hämta outlook"
    r"|inviato (?:da|dal|con|tramite)\b|verzonden (?:vanaf|met|via|vanuit)\b|verstuurd vanaf\b|skickat från\b"
    r"|skickades från"
    r"|sendt (?:fra|via|med)\b|lähetetty (?:\w+sta|laitteesta)|lähetetty .{1,30}(?:sta|stä|lta|ltä)\b|wysłan[eoy] z\b"
    r"|pobierz (?:program )?outlook|odesláno z|odoslané z|elküldve .{1,40}(?:ról|ből|ről|ból)\b|küldve az? .{1,30}"
    r"|.{1,40}(?:'?d[ae]n|'?t[ae]n) gönderildi|trimis de pe|poslano s(?:a)? mo\w+"
    r"|отправлено (?:с|из)\b|надіслано (?:з|із)\b"
    r"|εστάλη από|從我的 ?\S+ ?(?:傳送|寄出)|从我的 ?\S+ ?发送|发自我的|寄件自我的"
    r"|.{0,20}から送信|나의 .{1,20}에서 보냄"
    r"|đã gửi từ|dikirim dari|yahoo mail\b|gmx mobile mail|mit der gmx mail app|blackberry\b)",
    re.IGNORECASE,
)
"""Begins (or is) the line that a telephone or a mail program puts below what was written."""

FAILED_SUBJECTS: Final = re.compile(
    r"undeliver(?:ed|able)|returned mail|(?:delivery|mail|message) (?:status notification|failure|failed|error)"
    r"|(?:mail|message) (?:could not be|not) (?:sent|delivered)|delivery (?:failure|has failed|report|problem)"
    r"|failure notice|failed mail|non[- ]delivery|nondeliverable|mail system error|user unknown|not deliverable"
    r"|unzustellbar|zustell(?:ung )?fehl|unzustellbarkeit|échec (?:de|de la) (?:remise|livraison)|non remis"
    r"|no se (?:puede|pudo) entregar|no entregado|mancata consegna|non recapitabile|não (?:é possível )?entreg"
    r"|onbestelbaar|olevererbar|kunde inte levereras|kan ikke leveres|toimitus epäonnistui"
    r"|nie można dostarczyć|niedostarczon|nedoručiteln|недоставлен|не доставлено"
    r"|メールエラー|配信不能|送信エラー|エラー通知|退信|无法投递|전송 실패",
    re.IGNORECASE,
)
"""In the subject of a delivery report; never enough alone."""

AUTOMATIC_SUBJECTS: Final = re.compile(
    r"\s*(?:re|aw|sv|antw)?\s*:?\s*(?:"
    r"auto(?:matic|mated)?[- ]?(?:reply|response|answer|responder)\b|auto:|autoreply\b|out of (?:the )?office\b"
    r"|(?:i am |i'm )?away (?:from|until)\b|vacation (?:reply|message)\b|on vacation\b"
    r"|automatische antwort\b|abwesenheit(?:snotiz|sbenachrichtigung|sassistent)?\b|abwesend\b|nicht im büro\b"
    r"|réponse automatique\b|absence du bureau\b|absent du bureau\b|message d'absence\b"
    r"|respuesta automática\b|fuera de (?:la )?oficina\b|risposta automatica\b|fuori (?:sede|ufficio)\b"
    r"|resposta automática\b|ausência temporária\b|automatisch antwoord\b|afwezigheid(?:sbericht)?\b"
    r"|autosvar\b|automatiskt? svar\b|frånvaro\b|fravær\b|automaattinen vastaus\b|poissa\b"
    r"|odpowiedź automatyczna\b|autoodpowiedź\b|automatická odpověď\b|automatická odpoveď\b|automatikus válasz\b"
    r"|răspuns automat\b|otomatik (?:yanıt|cevap)\b|автоответ|автоматический ответ|автоматична відповідь"
    r"|自動応答|自動返信|自动回复|自動回覆|자동 회신)",
    re.IGNORECASE,
)
"""Begins the subject of an answering machine's mail."""
