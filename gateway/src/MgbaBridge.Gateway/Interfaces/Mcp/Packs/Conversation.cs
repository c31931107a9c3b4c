using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Packs;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Packs;

/// <summary>Text boxes and menus: reads pages until they close, and takes options.</summary>
/// <param name="play">The game.</param>
internal sealed class Conversation(ScenePlay play)
{
    private const int MaxPresses = 100;
    private const int MaxTries = 3;
    private const int OpenFrames = 30;
    private const int StillFrames = 12;
    private const int LoadFrames = 120; // a new map may begin with a text
    private const int MaxFrames = 1_200;

    private readonly List<string> _pages = [];

    /// <summary>What was said, page by page.</summary>
    public IReadOnlyList<string> Pages => _pages;

    /// <summary>Presses the key of text boxes until one opens, or a menu. Returns false when none does.</summary>
    public async Task<bool> OpenAsync()
    {
        for (var tries = 0; tries <= MaxTries; tries++)
        {
            if (tries > 0)
            {
                await play.PressAsync(NextKey); // to come near is enough for some things
            }

            for (var frame = 0; frame < (tries == 0 ? 1 : OpenFrames); frame++)
            {
                if ((await play.SceneAsync()).IsOpen)
                {
                    return true;
                }

                await play.StepAsync(1, default);
            }
        }

        return false;
    }

    /// <summary>Reads pages until the text box closes or asks a question. Returns why it stopped before; null when it is closed or asks.</summary>
    public async Task<string?> ReadAsync()
    {
        for (var presses = 0; ; presses++)
        {
            var scene = await StillAsync();
            if (scene is null)
            {
                return $"The text box did not come to rest in {MaxFrames} frames.";
            }

            if (scene.TextBox is { } text && (_pages.Count == 0 || _pages[^1] != text))
            {
                _pages.Add(text);
            }

            if (scene.Menu is not null || scene.TextBox is null)
            {
                return null;
            }

            if (presses == MaxPresses)
            {
                return $"The text box is still open after {MaxPresses} presses of {NextKey}.";
            }

            await play.PressAsync(NextKey);
        }
    }

    /// <summary>Takes an option of the open menu. Returns why it cannot, or null.</summary>
    public async Task<string?> ChooseAsync(string option)
    {
        var scene = await play.SceneAsync();
        if (scene.Menu is not { Declared: var menu })
        {
            return "No menu is open.";
        }

        var wanted = menu.Options.FindIndex(one => one.Equals(option.Trim(), StringComparison.OrdinalIgnoreCase));
        if (wanted < 0)
        {
            return $"The menu {menu.Name} has no option {(option.Length > 80 ? option[..80] : option)}. Its options are {string.Join(", ", menu.Options)}.";
        }

        for (var press = 0; scene.Menu is { Selected: { } selected } now && now.Declared == menu && selected != wanted; press++)
        {
            if (press > 2 * menu.Options.Count)
            {
                return $"The keys {menu.Previous} and {menu.Next} do not lead to {menu.Options[wanted]}.";
            }

            await play.PressAsync(selected > wanted ? menu.Previous : menu.Next);
            scene = await play.SceneAsync();
        }

        if (scene.Menu?.Declared != menu)
        {
            return $"The menu {menu.Name} has closed meanwhile.";
        }

        await play.PressAsync(menu.Select);
        for (var frame = 0; frame < OpenFrames && (await play.SceneAsync()).Menu?.Declared == menu; frame++)
        {
            await play.StepAsync(1, default);
        }

        return null;
    }

    private KeySet NextKey => play.Pack.Text?.Next ?? KeyConverter.A;

    // the scene when the text has been the same for some frames; null when it does not come to rest
    private async Task<GameScene?> StillAsync()
    {
        var (still, last) = (0, (string?)null);
        for (var frame = 0; frame < MaxFrames; frame++)
        {
            var scene = await play.SceneAsync();
            still = scene.TextBox == last ? still + 1 : 0;
            last = scene.TextBox;
            if (scene.Menu is not null || (last is null && scene.IsFree) || still >= (last is null ? LoadFrames : StillFrames))
            {
                return scene;
            }

            await play.StepAsync(1, default);
        }

        return null;
    }
}
