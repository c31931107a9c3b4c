using System.Diagnostics.CodeAnalysis;

namespace MgbaBridge.Lab.Designs;

/// <summary>One socket for all requests, which wait for each other: no connection is opened twice, and one that is broken stays so.</summary>
[SuppressMessage("Design", "CA1001", Justification = "it serves until its process ends")]
internal sealed class SharedSocket(int port) : Design(port)
{
    private readonly SemaphoreSlim _free = new(1);
    private ScriptSocket? _socket;

    public override async Task<Reply> SendAsync(string command, CancellationToken cancel)
    {
        await _free.WaitAsync(cancel);
        try
        {
            _socket ??= await ScriptSocket.OpenAsync(Port, cancel);
            return await _socket.SendAsync(command, cancel);
        }
        finally
        {
            _free.Release();
        }
    }
}
