namespace MgbaBridge.Gateway.Tests.Interfaces.MgbaHttp;

/// <summary>What a path answered, or is to answer.</summary>
internal readonly record struct Said(int Status, string? Type, string Body)
{
    private const string Answer = "text/plain; charset=utf-8";
    private const string Failure = "text/plain";

    public static Said Ok(string body = "") => new(200, Answer, body);

    public static Said Bad(string body) => new(400, Failure, body);

    /// <summary>A failure of the script: only the first line is mGBA-http's.</summary>
    public static Said ScriptError { get; } = new(502, Failure, "Error executing command. See mGBA scripting window for details.");

    public static Said NoContact { get; } = new(502, Failure, "Could not communicate with mGBA. Is mGBA running with mGBASocketServer.lua loaded?");

    public static Said NoResponse { get; } = new(504, Failure, "No response from mGBA within 3000ms. Is mGBA running with the Lua script loaded?");

    public static Said Bare(int status) => new(status, null, "");

    /// <summary>Without what we add to mGBA-http's sentence.</summary>
    public Said FirstLine() => Status >= 500 ? this with { Body = Body.Split('\n')[0] } : this;
}
