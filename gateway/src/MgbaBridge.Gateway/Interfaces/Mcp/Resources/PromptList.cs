using ModelContextProtocol;
using ModelContextProtocol.Protocol;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Resources;

/// <summary>Prompts that people choose in their client.</summary>
internal static class PromptList
{
    private static readonly (Prompt Prompt, string Text)[] All =
    [
        (new Prompt
        {
            Name = "play", Title = "Play the game", Description = "Play towards a goal, and report what happens.",
            Arguments = [new PromptArgument { Name = "goal", Description = "What to reach, such as: win the first battle.", Required = false }],
        },
            """
            Play the game that is open in mGBA. Goal: {goal}.
            1. Call status and notes. If something is wrong, do what its text says.
            2. Call observe. Describe in one sentence what you see and what you will try next.
            3. Act with press, several keys in one call where that is safe. If the game must not run on while you think, call take_control first and give_back when you are done.
            4. After each press compare the picture with what you expected. If nothing changed, wait with wait_until, then try something else; do not repeat the same press more than three times.
            5. Save before something risky; use load or rewind when it went wrong.
            6. Note with the tool notes what you learn about the game. Stop when the goal is reached or you cannot get on, and say which.
            """),
        (new Prompt
        {
            Name = "find_address", Title = "Find an address", Description = "Find where a value of the game is in memory.",
            Arguments = [new PromptArgument { Name = "value", Description = "What to find, such as: the number of lives.", Required = true }],
        },
            """
            Find where this value is in memory: {value}.
            1. Read the resource symbols of the emulator and the notes: it may have a name already.
            2. Call observe and find the value on the screen. Save a state named before-search.
            3. Call search_ram with action start and the smallest type that can hold it. If you know the number, refine with is eq and value.
            4. Make it change in the game and refine with increased or decreased; let time pass without a change and refine with unchanged. Repeat until at most five candidates are left.
            5. Check a candidate: write another number to it and observe whether the screen follows; then load before-search.
            6. Add the place and its type to the notes and tell them, such as "wram:0x82 u16".
            """),
        (new Prompt
        {
            Name = "write_test", Title = "Write a test", Description = "Write a program that tests a behaviour of the game over HTTP.",
            Arguments = [new PromptArgument { Name = "behaviour", Description = "What must hold, such as: pressing Start on the title opens the menu.", Required = true }],
        },
            """
            Write an automated test of this behaviour of the game: {behaviour}.
            1. Bring the game to the beginning of the test with press, and keep it with save.
            2. Do the steps once with take_control, press and step, and write down frames and the values (read) that prove the result. Prefer values over pictures.
            3. Write the test as a small program that uses the HTTP API of the gateway: POST /v2/states/NAME/load, POST /v2/keys/sequence with "wait": true, POST /v2/wait, GET /v2/values/NAME or
               GET /v2/memory/LOCATION/TYPE. It must fail with one sentence that names the frame and the value.
            4. Load the state and do the steps again, to see that the result is the same. Then change one step, to see that the test can fail.
            """),
    ];

    /// <summary>The prompts.</summary>
    public static ListPromptsResult List() => new() { Prompts = [.. All.Select(entry => entry.Prompt)] };

    /// <summary>A prompt with its arguments.</summary>
    /// <exception cref="McpProtocolException">There is none of this name, or an argument is missing.</exception>
    public static GetPromptResult Get(GetPromptRequestParams? request)
    {
        var (prompt, text) = All.FirstOrDefault(entry => entry.Prompt.Name == request?.Name);
        if (prompt is null)
        {
            throw new McpProtocolException($"There is no such prompt. Use one of {string.Join(", ", All.Select(entry => entry.Prompt.Name))}.", McpErrorCode.InvalidParams);
        }

        foreach (var argument in prompt.Arguments!)
        {
            var value = request!.Arguments?.TryGetValue(argument.Name, out var given) == true ? given.ToString() : null;
            if (value is null && argument.Required == true)
            {
                throw new McpProtocolException($"The prompt {prompt.Name} needs the argument {argument.Name}. {argument.Description}", McpErrorCode.InvalidParams);
            }

            text = text.Replace($"{{{argument.Name}}}", value ?? "find out what can be done, and do it", StringComparison.Ordinal);
        }

        return new GetPromptResult { Description = prompt.Description, Messages = [new PromptMessage { Role = Role.User, Content = new TextContentBlock { Text = text } }] };
    }
}
