"""Games of a house as PettingZoo environments, for whoever trains agents. Needs the extra ``pettingzoo``."""

from greenroom.integrations.pettingzoo.secret_agi import SecretAgiEnv, env, raw_env

__all__ = ["SecretAgiEnv", "env", "raw_env"]
