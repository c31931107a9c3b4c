namespace MgbaBridge.Gateway.Emulator;

/// <summary>How an emulator is, as <c>/v2/status</c> tells it.</summary>
public enum EmulatorState
{
    /// <summary>The gateway has just begun to connect.</summary>
    Connecting,

    /// <summary>It answers.</summary>
    Ready,

    /// <summary>Nothing answers on the port.</summary>
    ScriptMissing,

    /// <summary>A script answers that speaks another version.</summary>
    WrongVersion,

    /// <summary>Another program, or another emulator, answers on the port.</summary>
    OtherProgram,

    /// <summary>The script refuses the gateway: the secret is missing or wrong, or it has too many connections.</summary>
    Refused,

    /// <summary>Connections are accepted, and no frame runs.</summary>
    Silent,

    /// <summary>It answers, and somebody steps it.</summary>
    Leased,

    /// <summary>It answers, and no frame runs: the game is paused.</summary>
    Paused,

    /// <summary>It answers, and no frame runs: the game stopped its machine.</summary>
    Stopped,

    /// <summary>It answers, and no frame runs: the game crashed.</summary>
    Crashed,

    /// <summary>It answers, and no game is loaded.</summary>
    NoGame,
}
