"""What mail programs and people write round a move in six languages: data for the corpus of move mails."""

from __future__ import annotations

from typing import Final

LANGUAGES: Final = ("en", "de", "fr", "es", "pl", "ru")

CHARSETS: Final = {
    "en": "us-ascii",
    "de": "iso-8859-1",
    "fr": "windows-1252",
    "es": "iso-8859-15",
    "pl": "iso-8859-2",
    "ru": "koi8-r",
}
"""An old charset of each language, which some of the mails are sent in."""

GREETING: Final = {
    "en": "Hi Bob,",
    "de": "Hallo Bob,",
    "fr": "Salut Bob,",
    "es": "¡Hola Bob!",
    "pl": "Cześć Bob,",
    "ru": "Привет, Боб!",
}
FAREWELL: Final = {
    "en": "Good luck!\nAnn",
    "de": "Viele Grüße\nAnn",
    "fr": "À bientôt,\nAnn",
    "es": "Un saludo,\nAnn",
    "pl": "Pozdrawiam\nAnn",
    "ru": "С уважением,\nАнн",
}
REMARK: Final = {
    "en": "That last move of yours at d4 hurts, I nearly had to resign.",
    "de": "Dein letzter Zug nach d4 tut weh, fast hätte ich aufgegeben.",
    "fr": "Ton dernier coup en d4 fait mal, j'ai failli abandonner.",
    "es": "Tu última jugada en d4 duele, casi abandono.",
    "pl": "Twój ostatni ruch na d4 boli, prawie się poddałam.",
    "ru": "Твой последний ход d4 болезненный, я чуть не сдалась.",
}
DISCLAIMER: Final = {
    "en": "This message is confidential. If you are not the intended recipient, stop reading\nand delete it.",
    "de": "Diese Nachricht ist vertraulich. Wenn Sie nicht der richtige Adressat sind,\nlöschen Sie sie bitte.",
    "fr": "Ce message est confidentiel. Si vous n'êtes pas le destinataire prévu,\nmerci de le supprimer.",
    "es": "Este mensaje es confidencial. Si no es usted el destinatario,\nelimínelo, por favor.",
    "pl": "Ta wiadomość jest poufna. Jeśli nie jest Pan/Pani adresatem,\nprosimy ją usunąć.",
    "ru": "Это сообщение конфиденциально. Если вы не являетесь адресатом,\nудалите его, пожалуйста.",
}
PHONE: Final = {
    "en": "Sent from my iPhone",
    "de": "Von meinem iPhone gesendet",
    "fr": "Envoyé de mon iPhone",
    "es": "Enviado desde mi iPhone",
    "pl": "Wysłane z iPhone'a",
    "ru": "Отправлено с iPhone",
}
OUTLOOK_PHONE: Final = {
    "en": "Get Outlook for iOS<https://aka.ms/o0ukef>",
    "de": "Outlook für iOS<https://aka.ms/o0ukef> herunterladen",
    "fr": "Télécharger Outlook pour iOS<https://aka.ms/o0ukef>",
    "es": "Obtener Outlook para iOS<https://aka.ms/o0ukef>",
    "pl": "Pobierz program Outlook dla systemu iOS<https://aka.ms/o0ukef>",
    "ru": "Получить Outlook для iOS<https://aka.ms/o0ukef>",
}
PROTON: Final = {
    "en": "Sent with Proton Mail secure email.",
    "de": "Gesendet mit der sicheren E-Mail von Proton Mail.",
    "fr": "Envoyé avec la messagerie sécurisée Proton Mail.",
    "es": "Enviado con el correo seguro Proton Mail.",
    "pl": "Wysłano z Proton Mail, bezpiecznej poczty.",
    "ru": "Отправлено с помощью Proton Mail.",
}
AWAY_SUBJECT: Final = {
    "en": "Automatic reply: ",
    "de": "Automatische Antwort: ",
    "fr": "Réponse automatique : ",
    "es": "Respuesta automática: ",
    "pl": "Odpowiedź automatyczna: ",
    "ru": "Автоматический ответ: ",
}
AWAY: Final = {
    "en": "I am out of the office until 7 July.",
    "de": "Ich bin bis zum 7. Juli nicht im Büro.",
    "fr": "Je suis absente jusqu'au 7 juillet.",
    "es": "Estaré fuera de la oficina hasta el 7 de julio.",
    "pl": "Jestem poza biurem do 7 lipca.",
    "ru": "Меня не будет в офисе до 7 июля.",
}
LABELS: Final = {
    "en": ("From:", "Sent:", "To:", "Subject:"),
    "de": ("Von:", "Gesendet:", "An:", "Betreff:"),
    "fr": ("De :", "Envoyé :", "À :", "Objet :"),
    "es": ("De:", "Enviado:", "Para:", "Asunto:"),
    "pl": ("Od:", "Wysłano:", "Do:", "Temat:"),
    "ru": ("От:", "Отправлено:", "Кому:", "Тема:"),
}
LONG_DATE: Final = {
    "en": "Monday, January 6, 2025 10:00 AM",
    "de": "Montag, 6. Januar 2025 10:00",
    "fr": "lundi 6 janvier 2025 10:00",
    "es": "lunes, 6 de enero de 2025 10:00",
    "pl": "poniedziałek, 6 stycznia 2025 10:00",
    "ru": "понедельник, 6 января 2025 г. 10:00",
}
FORWARDED: Final = {
    "gmail": dict.fromkeys(LANGUAGES, "---------- Forwarded message ---------"),
    "apple": {
        "en": "Begin forwarded message:",
        "de": "Anfang der weitergeleiteten Nachricht:",
        "fr": "Début du message réexpédié :",
        "es": "Inicio del mensaje reenviado:",
        "pl": "Początek przekazywanej wiadomości:",
        "ru": "Начало переадресованного сообщения:",
    },
    "thunderbird": {
        "en": "-------- Forwarded Message --------",
        "de": "-------- Weitergeleitete Nachricht --------",
        "fr": "-------- Message transféré --------",
        "es": "-------- Mensaje reenviado --------",
        "pl": "-------- Przekazana wiadomość --------",
        "ru": "-------- Перенаправленное сообщение --------",
    },
    "yahoo": {
        "en": "   ----- Forwarded Message -----",
        "de": "   ----- Weitergeleitete Nachricht -----",
        "fr": "   ----- Message transmis -----",
        "es": "   ----- Mensaje reenviado -----",
        "pl": "   ----- Przekazana wiadomość -----",
        "ru": "   ----- Пересылаемое сообщение -----",
    },
}
REPLY: Final = {
    "en": "Re: ",
    "de": "AW: ",
    "fr": "RE : ",
    "es": "RE: ",
    "pl": "ODP: ",
    "ru": "Re: ",
}
FORWARD: Final = {
    "en": "Fwd: ",
    "de": "WG: ",
    "fr": "TR : ",
    "es": "RV: ",
    "pl": "PD: ",
    "ru": "Fwd: ",
}

_WHO = "{name} <{address}>"
ATTRIBUTION: Final = {
    "gmail": {
        "en": f"On Mon, Jan 6, 2025 at 10:00\u202fAM {_WHO} wrote:",
        "de": f"Am Mo., 6. Jan. 2025 um 10:00 Uhr schrieb {_WHO}:",
        "fr": f"Le lun. 6 janv. 2025 à 10:00, {_WHO} a écrit\u00a0:",
        "es": "El lun, 6 ene 2025 a las 10:00, {name} (<{address}>) escribió:",
        "pl": f"pon., 6 sty 2025 o 10:00 {_WHO} napisał(a):",
        "ru": f"пн, 6 янв. 2025 г. в 10:00, {_WHO}:",
    },
    "apple": {
        "en": f"On Jan 6, 2025, at 10:00\u202fAM, {_WHO} wrote:",
        "de": f"Am 06.01.2025 um 10:00 schrieb {_WHO}:",
        "fr": f"Le 6 janv. 2025 à 10:00, {_WHO} a écrit :",
        "es": f"El 6 ene 2025, a las 10:00, {_WHO} escribió:",
        "pl": f"Wiadomość napisana przez {_WHO} w dniu 6 sty 2025, o godz. 10:00:",
        "ru": f"6 янв. 2025 г., в 10:00, {_WHO} написал(а):",
    },
    "thunderbird": {
        "en": "On 1/6/25 10:00, {name} wrote:",
        "de": "Am 06.01.25 um 10:00 schrieb {name}:",
        "fr": "Le 06/01/2025 à 10:00, {name} a écrit :",
        "es": "El 6/1/25 a las 10:00, {name} escribió:",
        "pl": "W dniu 6.01.2025 o 10:00, {name} pisze:",
        "ru": "06.01.2025 10:00, {name} пишет:",
    },
    "yahoo": {
        "en": f"On Monday, January 6, 2025 at 10:00:00 AM GMT+1, {_WHO} wrote:",
        "de": f"Am Montag, 6. Januar 2025 um 10:00:00 MEZ hat {_WHO} Folgendes geschrieben:",
        "fr": f"Le lundi 6 janvier 2025 à 10:00:00 UTC+1, {_WHO} a écrit :",
        "es": f"En lunes, 6 de enero de 2025, 10:00:00 CET, {_WHO} escribió:",
        "pl": f"W dniu poniedziałek, 6 stycznia 2025 10:00:00 CET użytkownik {_WHO} napisał:",
        "ru": f"понедельник, 6 января 2025 г. в 10:00:00 GMT+3, {_WHO} написал(-а):",
    },
    "proton": {
        "en": f"On Monday, January 6th, 2025 at 10:00 AM, {_WHO} wrote:",
        "de": f"Am Montag, 6. Januar 2025 um 10:00 schrieb {_WHO}:",
        "fr": f"Le lundi 6 janvier 2025 à 10:00, {_WHO} a écrit :",
        "es": f"El lunes, 6 de enero de 2025 a las 10:00, {_WHO} escribió:",
        "pl": f"W dniu poniedziałek, 6 stycznia 2025 o 10:00 {_WHO} napisał(a):",
        "ru": f"Понедельник, 6 января 2025 г. в 10:00, {_WHO} написал(а):",
    },
}
