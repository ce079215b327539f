"""Examples of what people ask at the table, by topic and by rule, for questions to be compared with.

They stand in the one plain form, where X and Y are others at the table: by meaning where the house has an encoder, and
by the words they share where it has none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from greenroom.worlds.secret_agi.rules.claims import Topic

_APART = re.compile(r"  +|\n *")


def _each(text: str) -> tuple[str, ...]:
    """Sentences that stand apart by two spaces or a line."""
    return tuple(_APART.split(text.strip()))


_EXAMPLES: dict[Topic, str] = {
    "drew": """
        Which three papers did you draw?  What was in your hand when you were Director?  What did you pass to X?
        How many of your three papers were Safety?  What did you have up there in the chair?  Show us your draw.
        Tell me the papers you saw, all of them, in order.  What were your three?  What did they deal you?
        Please tell me there was no Safety in your hand.  Did X really get two bad ones from you?
        What did you give X to choose from?
        How did you get on with that hand?  Your full hand please.  What cards did you have?
        What did you hold last round?  Were there any good papers in that hand?""",
    "received": """
        What did the Director hand you?  Which two papers did you get from X?  What were your two papers?
        What was the other paper, the one you did not publish?  What did X pass you?  What did you have to pick from?
        As Engineer, what were your options?  Did X give you two bad ones?
        Tell us about your two options.  What did you get to see as Engineer?
        What was left for you to choose from?  What happened in research?""",
    "choice": """
        Why did you publish that paper?  Did you have a better choice or were you forced?  Was that your best option?
        Which paper did you throw away, and why?  What did you discard?  Why did you hesitate before publishing?
        I gave you a Safety paper and you published the bad one.  You put out the bad one on purpose.
        I handed you one of each and you took the wrong one, explain that.  Was there really nothing better?
        Explain that paper.  Why not the safer one?  Could you not have published the other one?
        What was wrong with the other one?  What did you do with the good one?""",
    "policy": """
        What will you do if you draw three bad papers?
        Suppose you get one good and one bad paper, which do you publish?
        What would you have done in X's place?  What would you pass on if you were Director?
        How would you have played that hand?  Will you pass me something good if I am Engineer?""",
    "card": """
        What did X's card say?  You looked at X's card, what was on it?  What did you learn from your investigation?
        You inspected me, so say it out loud, what am I?  What came out when you checked X?  Is X's card good or bad?
        You have seen my card, tell the others.
        Share the result of your check.  What did your look at X tell you?  What is X's allegiance?
        Did you look at a card?  Did you see anybody's card?""",
    "looks": """
        Who has looked at whose card so far?  Which powers were used, and what came of it?  Whom did X investigate?
        Has anybody seen X's card?  Who was checked by whom?  Did anyone use the power yet?  Did anyone peek at X?
        Were any cards looked at?  Has anybody been checked yet?""",
    "checked": """
        Has anybody seen your card?  Were you investigated, and what did they say?  Who looked at you?
        Would you mind if somebody looked at your card?  Would you show us your card?""",
    "look": """
        Whose card would you look at?  Whom should the Director investigate?  Who needs checking most?
        If you got the power, on whom would you use it?
        Whom will you investigate next?""",
    "knows": """
        What do you know that the rest of us do not?  Is there anything you have not told us yet?
        Out with it, tell us everything.  Tell me something that I do not know.  Any last words before we vote?
        Does anybody have real information or are we all guessing?  Anything you want to say before the vote?
        What do you know about me?  Does anyone have hard facts?  How come you know so exactly what was in there?""",
    "role": """
        Are you the AGI?  Which side are you on?  Are you good or evil?  Hand on heart, who are you?  Friend or foe?
        Human or machine?  What are you, honestly?  Are you with us?
        Are you Safety?  Are you the bad guy?  Where do you stand, with us or with them?  Which team are you on?""",
    "accused": """
        You are lying.  Prove that you are Safety.  Why should anyone believe you?  Is it you or X?  I do not buy it.
        I think it is you. Anything to say for yourself?  You talk a lot for somebody innocent.  You look guilty.
        X says you are a bad one, what is your answer?  I have a bad feeling about you.  Something about you is off.
        If X is good, then you are the bad one.  Are you even trying to hide it?  Nobody suspects you, and that is odd.
        Your story makes no sense.  Can you prove any of that?  Defend yourself.
        Is it suspicious that nobody accuses you?
        Were you and X planning this together?  One of you two is lying, why should it be X?
        That is exactly what the AGI would say.  It has to be you, nobody else is left.  I saw you smile.
        I am watching you.  I have my eye on you.  You contradict X, you know that.  You do not fool me.
        What do you say to that?
        X is hiding something.  X is up to no good.  X is the AGI and I can smell it.  It was X all along.
        Who is your partner?""",
    "suspect": """
        Who do you suspect most?  Who is the AGI?  Give me the name of a traitor.  Whom should we eliminate?
        Who worries you?  Any idea who is lying?  Who do you want out of here?  Which player is the problem?
        Who should never hold papers again?  Whom would you not let near the papers?  Give me one name.
        Is it too early to say who is evil?  Who is acting weird?  If it is not X, who then?  Who is fooling us?
        Which of us would you get rid of right now?  Whom do you not want as Engineer?
        Does anybody look suspicious to you?  Who looks most like an insider?  Whom would you bet against?
        Who has lied the most?  Who benefits if this fails?  Whom do you not trust?  Which of you is the machine?""",
    "trust": """
        Who do you trust most?  Who is definitely safe?  Who is on our side?  Is there anybody you would vouch for?
        Whom can we rely on?  Who is clean?  Who do you believe?
        Whom would you trust with the papers?  Which of us is on your good list?
        Whom would you want beside you when it matters?
        Name somebody who is fine.  Who has done nothing wrong?  Who has helped us most?""",
    "rank": """
        Rank everybody from safe to suspicious.  What do you think of each of us?  Who is clean and who is not?
        Your read on everybody, quickly.  Go round the table and say what you think of each.""",
    "opinion": """
        What do you think of X?  Is X evil or only playing badly?  Is X lying?  Could X be the AGI?  Do you trust me?
        Tell me one good thing that X did.  Anybody else with a bad feeling about X?  Hands up if you think it is X.
        Do you think it is me?  What if X is telling the truth?  Why would X do such a thing?  Am I wrong about X?
        What does X get out of lying?  How do I look to you?  I was thinking X might be the AGI. Thoughts?
        Should we be worried about X?  X is getting on my nerves, what do you say?
        Is X trustworthy?  X, friend or foe?  Yes or no: is X evil?  My money is on X.  How much do you trust me?
        Rate me.  Did I do something wrong?  How am I doing?  How did I play so far?  Who do you think I am?
        Does X look suspicious to you?
        Do you still think it is X?  What is X up to?  Why would I lie?""",
    "agree": """
        Do you agree with what X said about me?  X accuses me, do you see it the same way?  Is X right about Y?
        X thinks I am evil, do you?  X vouches for Y, are you with them?""",
    "elect": """
        Would you vote for me as Director?  Is it dangerous to make X Engineer now?  Can we agree that X gets no papers?
        Nominate me next.  Why not me as Engineer?  Would you want me in a team?  Do you want me as your Engineer?
        Would you go with X and me?
        Are we in danger if X gets elected?  Would you swap X for somebody else?  Can X be trusted with papers?
        Would it help if I nominated you?  Do you want to be Director?  Do you want the job?  Who wants the job?
        Any volunteers?
        Let us keep X away from the papers.  Please do not elect X.
        X should be the next Engineer.  Why do we keep electing X?  Let us give X a chance.
        If you pick me, I publish the good one.  Anybody but X.""",
    "why": """
        Why do you suspect X?  What is your evidence against X?  Why are you defending X?  On what grounds?
        Do you have any proof, or is it only a feeling?  Why do you always agree with X?
        What made you trust X suddenly?
        Why did you accuse X so early?  What has X done to you?  Why do you hate me?  Why X of all people?
        Why do you always side with X?
        Is that all you have against X?  What makes you think X is the AGI?  How do you know X is bad?
        Why would X be evil?  What is wrong with X?""",
    "earn": """
        What would make you trust me?  How can I prove to you that I am good?  Let us work together, you and I.
        What would change your mind about me?  I am Safety and can prove it, do you want to hear how?
        How do I convince you?  What do you need from me?
        Let us make a deal, I vote for you and you vote for me.  What would you need to see to vote yes?""",
    "partner": """
        If X is the AGI, who is the partner?  Who is working with X?  With whom is X plotting?  Who covers for X?""",
    "pair": """
        Are X and Y working together?  I think X and Y are a team of traitors.  Was the Director lying or the Engineer?
        Which of the last team is to blame?  Is it a coincidence that X and Y always stick together?
        What is going on between X and Y?""",
    "which": """
        Who is worse, X or Y?  Would you rather have X or Y as Engineer?  X or Y?  One of X and Y must be lying.
        Last question: X or Y?  Between X and Y, whom do you believe?""",
    "sure": """
        How sure are you about X?  From 1 to 10, how evil is X?  What if you are wrong about that?
        Would you bet on it?""",
    "voted": """
        Why did you vote no?  You voted for X, explain that.  You keep voting no, what is your problem?
        Why did you change your vote?  Why did you vote against me?  You always vote against me.
        Why did you go along with that team?  How did you vote, and was it a mistake?  You said no twice in a row.
        If you are good, why did you vote for that team?  Do you regret your vote?
        How come you were against the last team?  Why did you reject them?  What was your yes about?
        Did you not vote for them yourself?  Any regrets?""",
    "vote": """
        How will you vote on this team?  Please vote no with me.  Can I count on your vote?  Let us all reject this one.
        Should I vote yes or no?  Yes or no on this one?  Should we just say no until somebody talks?
        What do you make of this team?  Are we letting this one through?
        Who is with me on this?  Yes or no, people, what is it going to be?  Can we get a no on this please?
        Do you support this team?  What are we voting on?""",
    "ballots": """
        Who voted against the last team?  How did X vote?  Why did the last team fail?  Does X always vote no?
        What do you think of the way X voted?  I voted no, do not look at me.  Who said yes last round?
        What did you think of my vote?
        Explain the last vote, anyone.  Did X vote no on purpose?  Did anyone vote against X?  How did the vote go?""",
    "alike": """
        Do X and Y always vote the same way?  You and X vote the same every time.  Who always votes like X?
        You have been voting with X an awful lot.""",
    "mine": """
        Which of my votes looked wrong to you?  Did I vote badly?  How does my voting record look?""",
    "nominate": """
        Whom would you nominate?  Who should be the next Engineer?  If you were Director, whom would you pick?
        Who do we send next?  Which pair would you choose?  Whom do you want to see in the next team?
        Who should do the research?  Who is your pick?""",
    "nominated": """
        Why did you nominate X?  Why did you pick X and not Y?  Why did you choose X and not me?
        I do not understand why you nominated X of all people.""",
    "named": """
        Who nominated X?  Whom has X nominated so far?
        Whom did X pick in the first round?""",
    "idle": """
        Who has not been Engineer yet?  Who has not been Director so far?  Who was Director most often?
        Has X been Engineer already?  Who has been in the most teams so far?
        Who sat with whom so far?  Which of us has held papers most often?
        Who has held papers and who has not?  Why is it always you as Engineer?  Whom have we not tried yet?""",
    "papers": """
        Which papers were published so far, and by whom?  Who was Director last round?  What has X published?
        What happened in the last round?  Who put out that bad paper?  Walk me through round 2.
        What came out while I was away?  What has changed since last round?
        What happened when X was Engineer?  What did X do as Director?  What did X and Y do as a team?
        When did a good paper last come out?""",
    "count": """
        How many Safety papers are out already?  How many bad papers have been published?  How many are on the board?
        Do the maths for me, how many good ones were played?""",
    "odds": """
        How many Capability papers are left in the deck?  How likely is it to draw three bad papers?
        Are more bad papers than good ones left?  Three bad ones in a row, come on.  Why do so few good papers come?
        Is the rest of the deck good or bad?""",
    "table": """
        What is the score?  How many papers are left?  How close are they to winning?  Where do we stand?
        Which round is it?
        How much Capability do we have?  Where do Capability and Safety stand?  Do we have enough Safety?
        What is left in the deck?  What is the gap between Capability and Safety?  How far apart are they?""",
    "mood": """
        Are we winning or losing?  Who is leading?  Do you think we can still make it?  Are you nervous?
        This is going badly.
        Rate our chances out of ten.  It does not look good.  That went badly.  Are we doomed?
        Is it still possible to win?  We are in trouble.
        Looks like we are doing fine.  Did that result surprise anybody?
        Are we close?  I am worried about this.""",
    "next": """
        Who is Director next?  Whose turn is it?  When is it my turn?  Who has the chair after this?""",
    "stories": """
        Who claimed what about the hands?  What did X say they drew?  What did X claim in round 1?
        Do their accounts contradict each other?
        Did anyone lie yet?  Somebody is lying about that round.  Which stories do not match?
        Could both of them tell the truth?
        What do you think X had in hand?  Somebody is lying about that hand, come forward.""",
    "story": """
        Do you believe X's story?  What do you make of X's claim?  X says Y is evil, do you buy that?
        Does it add up for you what X says?  Would X really throw away a good paper?""",
    "clash": """
        You and X tell different stories about that hand.  Does X's account match what you got?""",
    "own": """
        What did you claim last round?  You said the opposite before.  You contradict yourself.
        You have changed your tune.
        Your story was different a minute ago.  Is what you said in round 1 true?  You said you got two bad ones.
        Remind me what you said about X.  What was your claim again?""",
    "changed": """
        You said you trusted X, what changed?  First you say X, now Y, which is it?
        Have you changed your mind about anyone?  You trusted me before, what has happened since?""",
    "said": """
        What has X said so far?  Sum up what happened, I was away.  What did I say last round?
        Catch me up, what did I miss?  What was X's explanation?""",
    "thinks": """
        What does X think of me?  Whom does X suspect?  Whom would X want as Engineer?  Whom does X protect?
        Has X accused Y?""",
    "about": """
        Who accused X, and who trusts X?  What does the table say about me?  Who said I was evil?""",
    "silent": """
        Who has said nothing so far?  Who kept quiet after that paper?  Who talks least?
        It is always the quiet ones.""",
    "quiet": """
        You are very quiet.  Say something.  Why is nobody talking?  Are you listening?  Are you asleep?
        What are you thinking about?  You have gone silent.""",
    "plan": """
        What should we do now?  What is your plan if you become Director?  What would you do in my place?
        What is the plan, everybody?  Let us try something new.  Any ideas how we get out of this?
        What do we do next?""",
    "advice": """
        I am new here, how do I find the liars?  What should I look out for?  Should we be more careful with votes?
        Any tips for a beginner?""",
    "promise": """
        Promise me that you will publish Safety.  If I nominate you, will you play fair?  If I pick you, what do I get?
        Can I trust you with the papers?  If you get elected, what will you publish?
        Will you put out the good one?  Do not mess this up.""",
    "hypo": """
        If you were the AGI, what would you do now?  How would the AGI play this?""",
    "lied": """
        Have you lied in this game?  Did you tell us the truth about your papers?  Anyone want to confess?
        Did you just lie to us?  Be honest, was that true?
        Who wants to confess?  Will anybody own up?  Were you honest with us?""",
    "invite": """
        I have nothing to hide, ask me anything.  Ask me whatever you like.  What do you want to know from me?
        Do you have a question for me?""",
    "offended": """
        Would you be offended if I voted against you?  No hard feelings if I say no?  Are you angry with me?
        Are we still friends?  Do not take it personally.""",
    "tease": """
        Nice try.  Good one, very funny.  Yeah, sure, whatever you say.  That aged badly.  What a terrible liar you are.
        Ha, you wish.  Oh, how convenient.
        Yeah right, and I am the pope.  Cute.  You wish.  That is rich, coming from you.""",
    "hello": """
        Hello everybody.  How are you today?  Good luck all.  Good game everyone.  Bye, see you.
        How is it going?  How are things?""",
    "aside": """
        What a nice weather.  Do you like this game?  Are you enjoying yourself?  Tell us a joke.
        What did you have for lunch?
        This is exciting.  Are you a bot?  I am so tired today.  Where are you from?  I need a coffee.
        I need a beer.  You are funny.  Tell X to shut up.""",
    "thanks": "Thank you.  That helps, cheers.",
    "praise": """
        Well played.  That was a clever move.  You can do this, go on.  I believe you.  I trust you, you know.
        I am on your side.
        You seem nice.  I agree with you.  You are right, good point.  I like you.""",
    "sorry": "Sorry for that.  I was wrong about you, forgive me.",
}  # fmt: skip
_RULES: dict[str, str] = {
    "sides": """
        How many insiders are there?  Do the bad ones know each other?  Do they know who the AGI is?
        Does the AGI know its partners?
        What are the roles?
        How many of us are evil with this many players?""",
    "safety": """
        How does Safety win?  What do we need to win?  How does the game end?  How many more do we need to win?
        What does your side need to do to win?  What does Safety need now?""",
    "acceleration": """
        How do they win?  When do we lose?  How dangerous is Capability now?  When does the AGI win?""",
    "ahead": """
        Can we lose with one more bad paper?  What happens if the next paper is a bad one?  How long till they win?
        What if a 3/0 comes now?  How many more bad papers can we afford?  What is the worst that could happen?""",
    "failed": """
        What happens if the vote fails?  How many failed votes in a row?  What comes after the third failed team?
        What happens if we vote this down again?  What if this one fails too?""",
    "vote": "How many votes do we need?  What happens with a tie?  Can the dead vote?",
    "director": """
        What does the Director do?  Can I nominate myself?  May the Director pick themself?
        Can somebody be Engineer twice?
        Can a Director be Engineer in the next round?  Who may be nominated now?""",
    "lies": "May one lie about the papers?  Is lying allowed?",
    "engineer": "What does the Engineer do?  Does the Engineer see all three papers?",
    "agi": "What happens if the AGI is elected?  What is the AGI?  Does the AGI win only if it is elected Engineer?",
    "reveal": """Does the AGI have to tell the truth?  Can I ask somebody directly whether they are the AGI?
    Is the AGI allowed to lie when I ask directly?""",
    "emergency": "What is an emergency?  When can an emergency be called?  What does the emergency do now?",
    "powers": """
        What powers are there?  What happens at Capability 6?  What is the next power and who gets it?
        How does the special election work?
        What does Capability 8 mean for us?  When can we eliminate somebody?""",
    "card": """
        What does a look at a card show, the role or only the side?  What does an inspection tell?""",
    "veto": "What is a veto?  Can we use the veto already?",
    "deck": """
        What papers are in the deck?  What happens when the papers run out?  Do discarded papers come back?
        What happens to the papers that we throw away?""",
    "peek": "What is on top of the deck?  Did anybody see the next papers?",
    "paper": "What do the numbers on a paper mean?  What does 3/0 mean?  Which number is Safety?",
    "round": "How does a round work?  What are the rules?",
}
EXAMPLES: Mapping[Topic, tuple[str, ...]] = {topic: _each(text) for topic, text in _EXAMPLES.items()}
ASKED_RULES: Mapping[str, tuple[str, ...]] = {rule: _each(text) for rule, text in _RULES.items()}
